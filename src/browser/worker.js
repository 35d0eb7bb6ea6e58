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

const DRAWN = 1000; // milliseconds between two drawings of what is watched

// Trains until there is no more to do, or the question is given up; then the model answers.
async function learn(id, body) {
  engine.ask('learn', body);
  const began = performance.now();
  for (let more = true, shown = 0; more;) {
    await rest();
    const told = engine.ask('learn/step', { stop: given.delete(id) }), now = performance.now();
    more = told.more;
    if (more && now - shown < DRAWN) continue;
    postMessage({ id, progress: { ...told, rate: 1000 * told.step / (now - began), watched: engine.ask('learn/watch') } });
    shown = now;
  }
  const model = engine.file('learned');
  engine.give('the model that was learned', model);
  engine.open();
  return model;
}

async function answer({ id, path, body }) {
  try {
    await rest(); // for what says that this is given up
    if (given.has(id)) return;
    const found = path === 'learn' ? await learn(id, body) : path === 'translate' && Array.isArray(body.q) ? await askByLines(id, body) : engine.ask(path, body);
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
        if (data.models.length) engine.open();
        data.models = null;
        postMessage({ ready: true });
      } catch (error) {
        postMessage({ failed: error.message, status: error.status ?? 500 });
      }
    })();
};
