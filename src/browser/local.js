// What the page asks of the engine in a worker, in the place of a server. Engine and models are in the page, or files beside it.

class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const local = (() => {
  const byId = id => document.getElementById(id);
  const waiting = new Map(); // by number: who waits for an answer
  let last = 0, worker = null;

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

  async function start() {
    const files = JSON.parse(byId('contents').textContent);
    const [engine, ...models] = await read(files);
    worker = new Worker(URL.createObjectURL(new Blob([byId('worker').textContent], { type: 'text/javascript' })));
    const ready = new Promise((resolve, reject) => {
      const fail = (status, message) => {
        reject(new Refusal(status, message));
        for (const one of waiting.values()) one.reject(new Refusal(status, message));
        waiting.clear();
      };
      worker.onerror = event => fail(500, event.message || 'the engine has failed');
      worker.onmessage = ({ data }) => {
        if (data.ready) return resolve();
        if (data.failed) return fail(data.status, data.failed);
        const one = waiting.get(data.id);
        waiting.delete(data.id);
        if (data.error) one?.reject(new Refusal(data.status, data.error));
        else one?.resolve(data.answer);
      };
    });
    const given = models.map((bytes, i) => ({ name: files[i + 1].file, bytes })), module = await unzip(engine);
    worker.postMessage({ engine: module, models: given }, [module.buffer, ...models.map(bytes => bytes.buffer)]);
    await ready;
    forget(files).catch(() => {});
  }

  let started = null;
  return async (path, body, signal) => {
    await (started ??= start());
    return new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { resolve, reject });
      const stop = () => {
        waiting.delete(id);
        worker.postMessage({ gone: id });
        reject(new DOMException('given up', 'AbortError'));
      };
      if (signal?.aborted) return stop();
      signal?.addEventListener('abort', stop, { once: true });
      worker.postMessage({ id, path, body: body ?? {} });
    });
  };
})();

// The answer of a path; Refusal: what is said against it.
const ask = (path, body, signal) => local(path, body, signal);
