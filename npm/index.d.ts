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
  /** So many translations, at most `beam` if that is given; default 1. */
  nBest?: number;
  /** Hypotheses kept at each step; default 5, or `nBest` if that is more. */
  beam?: number;
}

export interface Sentence {
  source: string;
  text: string;
  score: number;
  log_probability: number;
  /** The probability that it is right, if the model has learned that. */
  confidence?: number;
}

export interface Word {
  text: string;
  confidence: number;
}

export interface Translation {
  text: string;
  score: number;
  log_probability: number;
  /** The probability that it is right, and that each of its words is, if the model has learned that. */
  confidence?: number;
  words?: Word[];
  /** Links "0-0 1-2" from units of the source to units of the translation. */
  alignment?: string;
  /** Of a text that was split. */
  sentences?: Sentence[];
}

/** What a word stands for elsewhere, and how often. */
export interface Sense {
  word: string;
  share: number;
}

export interface Line {
  line: number;
  source: string;
  translations: Translation[];
  /** Of one word or short text that the model's lexicon knows. */
  senses?: Sense[];
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
