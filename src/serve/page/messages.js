// What the page says, in the languages of its interface.
const MESSAGES = {
  en: {
    name: 'English', interface: 'Language of this page', dark: 'Dark', from: 'Translate from', to: 'Translate into', swap: 'Swap the languages',
    auto: 'Detect the language', detected: language => `detected: ${language}`, text: 'Text', type: 'Type or paste a text', clear: 'Clear',
    copy: 'Copy', copied: 'copied', words: 'Words of the translation', key: 'API key', busy: 'translating…',
    characters: (count, most) => (most ? `${count} of ${most} characters` : `${count} characters`),
    tooLong: most => `longer than the ${most} characters that this server takes`,
    unreachable: 'the server does not answer', later: 'too many requests; trying again in a moment',
    choices: 'Other translations', fromHere: 'From here on', others: 'The whole', none: 'no others', wait: 'looking…', doubtful: percent => `probably not right (${percent} %)`,
    hint: 'Point at a word, or move to it with the arrow keys: what it came from lights up. Click it for other translations.',
  },
  fr: {
    name: 'Français', interface: 'Langue de cette page', dark: 'Sombre', from: 'Traduire de', to: 'Traduire en', swap: 'Inverser les langues',
    auto: 'Détecter la langue', detected: language => `détecté : ${language}`, text: 'Texte', type: 'Tapez ou collez un texte', clear: 'Effacer',
    copy: 'Copier', copied: 'copié', words: 'Mots de la traduction', key: 'Clé d’API', busy: 'traduction…',
    characters: (count, most) => (most ? `${count} caractères sur ${most}` : `${count} caractères`),
    tooLong: most => `plus long que les ${most} caractères que ce serveur accepte`,
    unreachable: 'le serveur ne répond pas', later: 'trop de requêtes ; nouvel essai dans un instant',
    choices: 'Autres traductions', fromHere: 'À partir d’ici', others: 'L’ensemble', none: 'aucune autre', wait: 'recherche…', doubtful: percent => `sans doute inexact (${percent} %)`,
    hint: 'Pointez un mot, ou allez-y avec les flèches : ce dont il vient s’éclaire. Cliquez dessus pour d’autres traductions.',
  },
  zh: {
    name: '中文', interface: '界面语言', dark: '深色', from: '源语言', to: '目标语言', swap: '交换语言',
    auto: '检测语言', detected: language => `检测到：${language}`, text: '文本', type: '输入或粘贴文本', clear: '清空',
    copy: '复制', copied: '已复制', words: '译文的词', key: 'API 密钥', busy: '正在翻译…',
    characters: (count, most) => (most ? `${count} / ${most} 个字符` : `${count} 个字符`),
    tooLong: most => `超过了本服务器接受的 ${most} 个字符`,
    unreachable: '服务器没有响应', later: '请求过多，稍后重试',
    choices: '其他译法', fromHere: '从这里起', others: '整句', none: '没有其他译法', wait: '查找中…', doubtful: percent => `很可能不准确（${percent} %）`,
    hint: '指向一个词，或用方向键移到它：它的来源会亮起。点击可看其他译法。',
  },
};
