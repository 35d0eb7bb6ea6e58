// Learning in the page: a small model of pairs that are pasted, by the engine in a worker of its own, and what its attention becomes.
const LEARN_MESSAGES = {
  en: {
    learn: 'Learn a model here', learnHow: 'A line for each pair: text, tab, translation. The attention of the sentence that is watched is drawn anew every second: at first it is the same everywhere, then it finds the words. Nothing leaves this page.',
    pairs: 'Pairs to learn from', languages: 'From', units: 'Units', watched: 'Watched', start: 'Learn', stop: 'Stop', use: 'Translate with it', leave: 'Translate with the models of this page', keep: 'Save the model',
    reading: 'reading the pairs…', ending: 'ending…', learned: told => `learned: ${told}`, attention: 'Attention of the watched sentence: source words across, target words down',
    progress: (epoch, step, loss, rate) => `epoch ${epoch}, update ${step}, loss ${loss}, ${rate} updates/s`,
  },
  fr: {
    learn: 'Apprendre un modèle ici', learnHow: 'Une ligne par paire : texte, tabulation, traduction. L’attention de la phrase observée est redessinée chaque seconde : d’abord la même partout, puis elle trouve les mots. Rien ne quitte cette page.',
    pairs: 'Paires à apprendre', languages: 'De', units: 'Unités', watched: 'Observée', start: 'Apprendre', stop: 'Arrêter', use: 'Traduire avec ce modèle', leave: 'Traduire avec les modèles de la page', keep: 'Enregistrer le modèle',
    reading: 'lecture des paires…', ending: 'on termine…', learned: told => `appris : ${told}`, attention: 'Attention de la phrase observée : mots source en colonnes, mots cible en lignes',
    progress: (epoch, step, loss, rate) => `époque ${epoch}, mise à jour ${step}, perte ${loss}, ${rate} mises à jour/s`,
  },
  zh: {
    learn: '在此训练一个模型', learnHow: '每行一对：原文、制表符、译文。所观察句子的注意力每秒重画一次：起初处处相同，然后找到各个词。任何内容都不会离开本页。',
    pairs: '用来学习的句对', languages: '源语言', units: '单元数', watched: '观察', start: '开始学习', stop: '停止', use: '用它翻译', leave: '用本页的模型翻译', keep: '保存模型',
    reading: '正在读取句对…', ending: '正在结束…', learned: told => `已学完：${told}`, attention: '所观察句子的注意力：横向为源词，纵向为目标词',
    progress: (epoch, step, loss, rate) => `第 ${epoch} 轮，第 ${step} 次更新，损失 ${loss}，每秒 ${rate} 次更新`,
  },
};
for (const [language, messages] of Object.entries(LEARN_MESSAGES)) Object.assign(MESSAGES[language], messages);

(() => {
  const say = () => MESSAGES[document.documentElement.lang];
  const OPTIONS = { guide: 'none', precision: 'float32', threads: 1 }; // beside these and the units, the defaults of `regard train`
  const FEW = 2000, OF_FEW = { vocab_size: 500, batch_tokens: 300, dropout: 0.1, warmup: 200, learning_rate: 0.005 }; // of few pairs
  let learner = null, training = null; // the worker, and what it does
  let model = null, progress = ''; // its bytes, and how far it came

  function tell(message, wrong = false) {
    byId('learning').textContent = message;
    byId('learning').classList.toggle('wrong', wrong);
  }

  function show(...ids) {
    for (const id of ['start', 'stop', 'use', 'leave', 'keep']) byId(id).hidden = !ids.includes(id);
  }

  function draw({ epoch, step, loss, rate, watched }) {
    progress = say().progress(epoch, step, (loss ?? NaN).toFixed(2), rate.toFixed(0));
    if (!byId('stop').disabled) tell(progress);
    byId('learned').textContent = watched.text;
    byId('learned-matrix').replaceChildren(matrixTable({ ...watched, attention: watched.weights, log_probabilities: [] }, { forbidden: new Set(), come: new Set(), label: say().attention }));
  }

  function translateWith(other) {
    local.use(other);
    show('start', other ? 'leave' : 'use', 'keep');
    dispatchEvent(new Event('models'));
  }

  async function learn() {
    try {
      if (!byId('leave').hidden) translateWith(null); // its model is about to go
      show('stop');
      byId('stop').disabled = false;
      tell(say().reading);
      learner?.close();
      learner = await local.connect();
      training = learner.learn({
        pairs: byId('pairs').value,
        languages: [byId('learned-from').value, byId('learned-into').value],
        watch: byId('watched').value,
        options: { ...OPTIONS, ...(byId('pairs').value.split('\n').length < FEW && OF_FEW), embedding: Number(byId('units').value), hidden: Number(byId('units').value) },
      }, draw);
      model = await training.model;
      tell(say().learned(progress));
      show('start', 'use', 'keep');
    } catch (error) {
      tell(error.message, true);
      show('start');
    }
  }

  byId('start').addEventListener('click', learn);
  byId('stop').addEventListener('click', () => {
    byId('stop').disabled = true;
    tell(say().ending);
    training?.stop();
  });
  byId('use').addEventListener('click', () => translateWith(learner));
  byId('leave').addEventListener('click', () => translateWith(null));
  byId('keep').addEventListener('click', () => {
    const address = URL.createObjectURL(new Blob([model], { type: 'application/octet-stream' }));
    make('a', { href: address, download: 'model.safetensors' }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
  });
  byId('learn').addEventListener('toggle', () => {
    if (!byId('pairs').value) byId('pairs').value = byId('example').textContent.trim();
  });
})();
