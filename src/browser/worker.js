// In the worker: answers the page's questions by the engine, a line at a time, so that new ones are heard between lines.
let engine = null;
const given = new Set(); // questions that the page has given up
const rest = () => new Promise(resolve => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    resolve();
  };
  port2.postMessage(0);
});

// The answer to a list of texts, put together from those to each.
async function askByLines(id, body) {
  const [language] = body.source === 'auto' ? engine.ask('detect', { q: body.q }) : [];
  const source = language?.confidence > 0 ? language.language : body.source, whole = {};
  for (const line of body.q) {
    await rest();
    if (given.has(id)) return null;
    const answer = engine.ask('translate', { ...body, source, q: [line] });
    for (const [name, [value]] of Object.entries(answer)) (whole[name] ??= []).push(value);
  }
  if (language && source !== 'auto') whole.detectedLanguage = body.q.map(() => language);
  return whole;
}

async function answer({ id, path, body }) {
  try {
    await rest(); // for what says that this is given up
    if (given.has(id)) return;
    const found = path === 'translate' && Array.isArray(body.q) ? await askByLines(id, body) : engine.ask(path, body);
    postMessage({ id, answer: found });
  } catch (error) {
    postMessage({ id, status: error.status ?? 500, error: error.message });
  } finally {
    given.delete(id);
  }
}

let before = Promise.resolve(); // one question after the other
onmessage = async ({ data }) => {
  if (data.gone) given.add(data.gone);
  else if (data.path) before = before.then(() => answer(data));
  else
    before = (async () => {
      try {
        engine = await Engine.start(data.engine);
        for (const { name, bytes } of data.models) engine.give(name, bytes);
        data.models = null;
        engine.open();
        postMessage({ ready: true });
      } catch (error) {
        postMessage({ failed: error.message, status: error.status ?? 500 });
      }
    })();
};
