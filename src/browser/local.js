// What the page asks of the engine in a worker, in the place of a server. Engine and models are in the page, or files beside it.

class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const local = (() => {
  const byId = id => document.getElementById(id);

  async function unzip(bytes) {
    if (typeof DecompressionStream !== 'function')
      throw new Refusal(400, 'this browser is too old to translate: Chrome 91, Firefox 113 and Safari 16.4 are not');
    return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
  }

  // The bytes of an element in base64, which is then emptied.
  function bytesIn(element) {
    const text = atob(element.textContent), bytes = new Uint8Array(text.length);
    element.remove();
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
  }

  // A file beside the page, which the browser keeps under its version, where it allows that; `come` hears of each piece's bytes.
  async function fetched({ file, version, bytes: size }, come) {
    const key = `${file}?${version}`, kept = await globalThis.caches?.open('regard').catch(() => null);
    const had = await kept?.match(key), answer = had || await fetch(key);
    if (!answer.ok) throw new Refusal(answer.status, `${file}: ${answer.status} ${answer.statusText}`);
    const whole = new Uint8Array(size), reader = answer.body.getReader();
    let at = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (at + part.value.length > size) throw new Refusal(400, `${file}: is not the file of this page`);
      whole.set(part.value, at);
      at += part.value.length;
      come(part.value.length);
    }
    if (at < size) throw new Refusal(400, `${file}: has only ${at} bytes of ${size}`);
    if (kept && !had) await kept.put(key, new Response(whole)).catch(() => {}); // there may be no room
    return whole;
  }

  async function forget(files) {
    const kept = await globalThis.caches?.open('regard').catch(() => null);
    for (const request of await kept?.keys() ?? [])
      if (!files.some(({ file, version }) => request.url.endsWith(`/${file}?${version}`))) await kept.delete(request);
  }

  async function read(files) {
    const total = files.reduce((sum, one) => sum + one.bytes, 0), bar = byId('progress');
    let come = 0;
    const contents = await Promise.all(files.map(one => {
      const element = byId(one.file);
      if (element) return bytesIn(element);
      bar.hidden = false;
      return fetched(one, count => {
        come += count;
        bar.value = come / total;
      });
    }));
    bar.hidden = true;
    return contents;
  }

  // A worker with the engine and models: what it answers, what it learns.
  class Connection {
    #waiting = new Map(); // by number: who waits for an answer
    #last = 0;
    #worker = new Worker(URL.createObjectURL(new Blob([byId('worker').textContent], { type: 'text/javascript' })));

    constructor(engine, models) {
      this.ready = new Promise((resolve, reject) => {
        const fail = (status, message) => {
          reject(new Refusal(status, message));
          for (const one of this.#waiting.values()) one.reject(new Refusal(status, message));
          this.#waiting.clear();
        };
        this.#worker.onerror = event => fail(500, event.message || 'the engine has failed');
        this.#worker.onmessage = ({ data }) => {
          if (data.ready) return resolve();
          if (data.failed) return fail(data.status, data.failed);
          const one = this.#waiting.get(data.id);
          if (data.progress) return one?.progress(data.progress);
          this.#waiting.delete(data.id);
          if (data.error) one?.reject(new Refusal(data.status, data.error));
          else one?.resolve(data.answer);
        };
      });
      this.#worker.postMessage({ engine, models }, models.map(({ bytes }) => bytes.buffer));
    }

    #send(path, body, who) {
      const id = ++this.#last;
      this.#waiting.set(id, who);
      this.#worker.postMessage({ id, path, body });
      return id;
    }

    ask(path, body, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(new DOMException('given up', 'AbortError'));
        const id = this.#send(path, body ?? {}, { resolve, reject });
        signal?.addEventListener('abort', () => {
          this.#waiting.delete(id);
          this.#worker.postMessage({ gone: id });
          reject(new DOMException('given up', 'AbortError'));
        }, { once: true });
      });
    }

    // Trains a model, with which it then answers: the promise of its bytes, and how to stop earlier.
    learn(body, progress) {
      let id;
      const model = new Promise((resolve, reject) => { id = this.#send('learn', body, { resolve, reject, progress }); });
      return { model, stop: () => this.#worker.postMessage({ gone: id }) };
    }

    close() {
      this.#worker.terminate();
    }
  }

  let engine = null, own = null, other = null; // of the page, and one to ask in the place of its models

  async function start() {
    const files = JSON.parse(byId('contents').textContent);
    const [packed, ...models] = await read(files);
    engine = await unzip(packed);
    const connection = new Connection(engine, models.map((bytes, i) => ({ name: files[i + 1].file, bytes })));
    await connection.ready;
    forget(files).catch(() => {});
    return connection;
  }

  return {
    ask: async (path, body, signal) => (other ?? await (own ??= start())).ask(path, body, signal),
    use(connection) {
      other = connection;
    },
    // Another worker, without models.
    async connect() {
      await (own ??= start());
      const connection = new Connection(engine, []);
      await connection.ready;
      return connection;
    },
  };
})();

// The answer of a path; Refusal: what is said against it.
const ask = (path, body, signal) => local.ask(path, body, signal);
