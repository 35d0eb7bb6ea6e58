// The package's interface; engine.js stands before it in index.js.

const inNode = typeof process === 'object' && !!process.versions?.node;
let compiled; // the engine, once for all translators

async function bytesOf(from) {
  if (from instanceof ArrayBuffer) return new Uint8Array(from);
  if (ArrayBuffer.isView(from)) return new Uint8Array(from.buffer, from.byteOffset, from.byteLength);
  const url = new URL(from, inNode ? `file://${process.cwd()}/` : location.href);
  if (inNode && url.protocol === 'file:') {
    const { readFile } = await import('node:fs/promises');
    return readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new EngineError(response.status, `${url}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

function compile() {
  compiled ??= bytesOf(new URL('./engine.wasm', import.meta.url)).then(bytes => WebAssembly.compile(bytes));
  return compiled;
}

class Translator {
  #engine;

  static async load(model, { cancelled, name } = {}) {
    const translator = new Translator(), bytes = await bytesOf(model);
    if (typeof WebAssembly !== 'object') await Engine.start(); // says why
    translator.#engine = await Engine.start(await compile(), cancelled);
    translator.#engine.give(name ?? (typeof model === 'string' || model instanceof URL ? String(model) : 'the model'), bytes);
    translator.#engine.open();
    return translator;
  }

  #ask(path, body, what = 'askText') {
    if (!this.#engine) throw new EngineError(400, 'the translator was closed');
    return this.#engine[what](path, body);
  }

  // As `regard translate --json` writes it.
  async translateToJson(text, { alignment = false, nBest = 1, beam = Math.max(5, nBest), ...unknown } = {}) {
    for (const name in unknown) throw new EngineError(400, `unknown option ${name}; there are alignment, nBest and beam`);
    return this.#ask('translate-line', { text, alignment, nBest, beam });
  }

  async translate(text, options) {
    return JSON.parse(await this.translateToJson(text, options));
  }

  async align(text, translation) {
    const [source, target] = this.languages;
    return this.#ask('align', { q: text, translation, source, target }, 'ask').alignment;
  }

  get languages() {
    const source = this.#ask('languages', {}, 'ask').find(({ code, targets }) => targets.some(target => target !== code));
    return [source.code, source.targets.find(target => target !== source.code)];
  }

  get memory() {
    return this.#engine?.memory ?? 0;
  }

  close() {
    this.#engine = null;
  }
}

export { Translator, EngineError };
