// The library in WebAssembly (src/browser/engine.h), and the little that it asks of WASI.

class EngineError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status; // of HTTP: 400 what was asked or given is at fault, 500 there is no memory, 503 cancelled
  }
}

class Engine {
  // Of the module's bytes, or the compiled module; `cancelled` is asked between steps whether to give up what is worked on.
  static async start(module, cancelled = () => false) {
    // a module with an empty vector of 128 bits
    const vectors = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 23, 1, 21, 0, 253, 12,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 26, 11]);
    if (typeof WebAssembly !== 'object' || !WebAssembly.validate(vectors))
      throw new EngineError(400, 'this browser is too old to translate: it lacks vectors in WebAssembly, which came with Chrome 91, Firefox 89 and Safari 16.4');
    const engine = new Engine();
    const compiled = module instanceof WebAssembly.Module ? module : await WebAssembly.compile(module);
    const instance = await WebAssembly.instantiate(compiled, {
      page: { cancelled: () => (cancelled() ? 1 : 0) },
      wasi_snapshot_preview1: engine.#system(WebAssembly.Module.imports(compiled)),
    });
    engine.#library = instance.exports;
    return engine;
  }

  #library;
  #dead = null; // why nothing more can be asked

  // The environment is empty, the clock is the page's, and there are no files.
  #system(imports) {
    const NO_SUCH = 8, memory = () => new DataView(this.#library.memory.buffer);
    const none = (count, size) => {
      memory().setUint32(count, 0, true);
      memory().setUint32(size, 0, true);
      return 0;
    };
    const calls = {
      environ_get: () => 0,
      environ_sizes_get: none,
      clock_time_get: (clock, precision, at) => {
        memory().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
        return 0;
      },
      proc_exit: status => {
        throw new EngineError(500, `the engine ended with status ${status}`);
      },
    };
    return Object.fromEntries(imports.map(({ name }) => [name, calls[name] || (() => NO_SUCH)]));
  }

  // The bytes, and a NUL, in the engine's memory.
  #put(bytes) {
    const at = this.#library.reserve(bytes.length + 1);
    if (!at) throw new EngineError(500, 'out of memory');
    new Uint8Array(this.#library.memory.buffer).set(bytes, at);
    new Uint8Array(this.#library.memory.buffer)[at + bytes.length] = 0;
    return at;
  }

  // The answer of a call, as text.
  #call(work) {
    if (this.#dead) throw this.#dead;
    try {
      const status = work(this.#library);
      const { memory, answer, answer_length: length } = this.#library;
      const text = new TextDecoder().decode(new Uint8Array(memory.buffer, answer(), length()));
      if (status === 200) return text;
      throw new EngineError(status, text ? JSON.parse(text).error : 'out of memory');
    } catch (error) {
      if (error instanceof EngineError) throw error;
      this.#dead = new EngineError(500, `the engine has failed: ${error.message}`);
      throw this.#dead;
    }
  }

  // A model's bytes; `name` is for messages.
  give(name, bytes) {
    const text = this.#put(new TextEncoder().encode(name));
    const model = this.#put(bytes);
    this.#call(library => library.give(text, model, bytes.length));
  }

  // Opens the models that were given.
  open() {
    this.#call(library => library.open());
  }

  // The answer as it is written, which is JSON.
  askText(path, body = {}) {
    const text = new TextEncoder().encode(JSON.stringify(body));
    const name = this.#put(new TextEncoder().encode(path)), at = this.#put(text);
    try {
      return this.#call(library => library.ask(name, at, text.length));
    } finally {
      this.#library.release(name);
      this.#library.release(at);
    }
  }

  ask(path, body) {
    return JSON.parse(this.askText(path, body));
  }

  // The bytes of a file that it has written.
  file(name) {
    const at = this.#put(new TextEncoder().encode(name)), { memory, file, file_length: length } = this.#library;
    const bytes = new Uint8Array(memory.buffer, file(at), length(at)).slice();
    this.#library.release(at);
    return bytes;
  }

  // Bytes of memory that it has.
  get memory() {
    return this.#library.memory.buffer.byteLength;
  }
}
