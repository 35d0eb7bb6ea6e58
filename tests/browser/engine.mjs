// The engine under Node, for engine.py and tests/robustness/one_hash.py: node engine.mjs WHAT PACKAGE MODEL [FILE]
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [what, folder, model, file] = process.argv.slice(2);
const { Translator } = await import(pathToFileURL(`${folder}/index.js`));

// What a promise is rejected with: "400 sentence".
async function fault(promise) {
  try {
    await promise;
    return 'no error';
  } catch (error) {
    return `${error.status} ${error.message}`;
  }
}

const asks = {
  async translate() {
    const translator = await Translator.load(model);
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    for (const [i, line] of lines.entries()) {
      const json = await translator.translateToJson(line, { alignment: true, nBest: 3 });
      process.stdout.write(json.replace('"line":0', `"line":${i}`) + '\n');
    }
  },
  async open() {
    console.log(await fault(Translator.load(model, { name: 'the model' })));
  },
  async cancel() {
    let asked = 0, most = 5;
    const translator = await Translator.load(model, { cancelled: () => ++asked > most });
    console.log(await fault(translator.translate('The cat sleeps on the table.')));
    most = Infinity;
    console.log((await translator.translate('The cat sleeps on the table.')).translations.length);
    console.log(await fault(translator.translate('The cat', { nBest: 1.5 })));
    console.log(await fault(translator.translate('The cat', { nbest: 2 })));
    translator.close();
    console.log(await fault(translator.translate('The cat')));
  },
  async old() {
    WebAssembly.validate = () => false; // as in a browser without vectors
    console.log(await fault(Translator.load(model)));
  },
  // The answers of `inspect` to the bodies of FILE, one a line.
  async inspect() {
    const Engine = new Function(`${readFileSync('src/browser/engine.js', 'utf8')}; return Engine`)();
    const engine = await Engine.start(readFileSync(`${folder}/engine.wasm`));
    engine.give(model, readFileSync(model));
    engine.open();
    for (const line of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
      try {
        process.stdout.write(engine.askText('inspect', JSON.parse(line))); // a line
      } catch (error) {
        console.log(JSON.stringify({ error: error.message }));
      }
    }
  },
  // Bytes that the engine has after it has translated FILE.
  async memory() {
    const translator = await Translator.load(model);
    for (const line of readFileSync(file, 'utf8').split('\n').slice(0, -1)) await translator.translate(line, { alignment: true, nBest: 3 });
    console.log(translator.memory);
  },
  // Trains on the pairs of FILE as the page does, with the options of the environment, and writes the model.
  async learn() {
    const Engine = new Function(`${readFileSync('src/browser/engine.js', 'utf8')}; return Engine`)();
    const engine = await Engine.start(readFileSync(`${folder}/engine.wasm`));
    const refusal = (path, body) => {
      try {
        return engine.askText(path, body);
      } catch (error) {
        return error.message;
      }
    };
    console.log(refusal('learn/step'));
    console.log(refusal('learn', { pairs: 'a\tb\n\nc' }));
    console.log(refusal('learn', { pairs: 'a\tb', options: { hidden: 0 } }));
    console.log(refusal('learn', { pairs: 'a\tb' }));
    const pairs = readFileSync(file, 'utf8'), options = JSON.parse(process.env.OPTIONS);
    engine.ask('learn', { pairs, options, watch: 'My brother bought a car.', languages: ['en', 'fr'] });
    let told = { more: true };
    while (told.more) told = engine.ask('learn/step');
    const watched = engine.ask('learn/watch');
    console.log(told.epoch, engine.ask('learn/step').more, Object.keys(watched).join(' '), watched.weights.length === watched.target.length);
    writeFileSync(model, engine.file('learned'));
    engine.give('it', engine.file('learned'));
    engine.open();
    console.log(engine.ask('languages').map(({ code, targets }) => `${code}>${targets}`).join(' '));
  },
  // Milliseconds of opening and of a sentence of FILE, megabytes that the engine has.
  async measure() {
    const began = performance.now(), translator = await Translator.load(model), opened = performance.now() - began;
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    for (const line of lines) await translator.translate(line);
    const again = performance.now();
    for (const line of lines) await translator.translate(line);
    const each = (performance.now() - again) / lines.length;
    console.log(JSON.stringify({ opened, each, megabytes: translator.memory / 1e6 }));
  },
};

await asks[what]();
