/** What went wrong, in a sentence. `status` is that of HTTP: 400 what was asked or given is at fault, 500 there is no memory, 503
 * cancelled. */
export class EngineError extends Error {
  readonly status: number;
}

export interface LoadOptions {
  /** Asked between steps of the search: whether to give up what is worked on. */
  cancelled?: () => boolean;
  /** The model's name in messages. */
  name?: string;
}

export interface TranslateOptions {
  /** Links between words too. */
  alignment?: boolean;
  /** So many translations, at most `beam`; default 1. */
  nBest?: number;
  /** Hypotheses kept at each step; default 5. */
  beam?: number;
}

export interface Sentence {
  source: string;
  text: string;
  score: number;
  log_probability: number;
}

export interface Translation {
  text: string;
  score: number;
  log_probability: number;
  /** Links "0-0 1-2" from units of the source to units of the translation. */
  alignment?: string;
  /** Of a text that was split. */
  sentences?: Sentence[];
}

export interface Line {
  line: number;
  source: string;
  translations: Translation[];
}

export interface Alignment {
  source: string[];
  target: string[];
  links: [number, number][];
}

export class Translator {
  /** Opens a model: its bytes, or where they are. */
  static load(model: string | URL | ArrayBuffer | ArrayBufferView, options?: LoadOptions): Promise<Translator>;
  translate(text: string, options?: TranslateOptions): Promise<Line>;
  /** The same as the line that `regard translate --json` prints. */
  translateToJson(text: string, options?: TranslateOptions): Promise<string>;
  /** The links between the words of a text and a translation of it. */
  align(text: string, translation: string): Promise<Alignment>;
  /** Tags of source and target. */
  readonly languages: [string, string];
  /** Bytes of memory that the engine has. */
  readonly memory: number;
  /** Gives the memory back. */
  close(): void;
}
