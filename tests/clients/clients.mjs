// Clients of LibreTranslate's API, as their users install them, ask a server. The argument is JSON: `url` of a server, `keyed` of
// one that wants `key`, `text` in English, its translation `expected` into French.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { Translate } from "translate";

const require = createRequire(import.meta.url);
const { libreTranslate } = require("libretranslate-ts");
const { LibreTranslateTranslator } = require("@translate-tools/core/translators/unstable/LibreTranslateTranslator");

const { url, keyed, key, text, expected } = JSON.parse(process.argv[2]);

async function testTranslate() {
    const ask = new Translate({ engine: "libre", from: "en", to: "fr", url: `${url}/translate` });
    assert.equal(await ask(text), expected);
    await assert.rejects(ask(text, { to: "de" }), /de is not supported/);
    const withKey = new Translate({ engine: "libre", from: "en", to: "fr", url: `${keyed}/translate`, key });
    assert.equal(await withKey(text), expected);
    const guessed = new Translate({ engine: "libre", from: "en", to: "fr", url: `${keyed}/translate`, key: "guessed" });
    await assert.rejects(guessed(text + text), /Invalid API key/);
}

async function testLibretranslateTs() {
    libreTranslate.setApiEndpoint(url);
    const languages = await libreTranslate.listLanguages();
    assert.deepEqual(languages.map(({ code, name, targets }) => [code, name, targets]),
        [["en", "English", ["en", "fr"]], ["fr", "French", ["fr"]]]);
    const detected = await libreTranslate.detect("Where is the station?");
    assert.deepEqual([detected.status, detected.language, detected.error], [200, "en", undefined]);
    const answer = await libreTranslate.translate(text, "auto", "fr", 2);
    assert.deepEqual([answer.status, answer.translatedText, answer.error], [200, expected, undefined]);
    assert.ok(answer.alternatives.length >= 1 && answer.alternatives.length <= 2);
    assert.deepEqual((await libreTranslate.translate(text, "en", "en", 2)).alternatives, []);
    assert.equal((await libreTranslate.translate(text, "en", "de")).error, "de is not supported");
    libreTranslate.setApiEndpoint(keyed);
    assert.match((await libreTranslate.translate(text, "en", "fr")).error, /to get an API key/);
    libreTranslate.setApiKey(key);
    assert.equal((await libreTranslate.translate(text, "en", "fr")).translatedText, expected);
}

async function testTranslateTools() {
    const open = new LibreTranslateTranslator({ apiHost: `${url}/translate` });
    assert.equal(await open.translate(text, "en", "fr"), expected);
    assert.deepEqual(await open.translateBatch([text, text], "auto", "fr"), [expected, expected]);
    await assert.rejects(open.translate(text, "en", "de"));
    const withKey = new LibreTranslateTranslator({ apiHost: `${keyed}/translate`, apiKey: key });
    assert.equal(await withKey.translate(text, "en", "fr"), expected);
}

for (const test of [testTranslate, testLibretranslateTs, testTranslateTools]) {
    await test();
    console.log(`${test.name}: passed`);
}
