"""Pairs of sentences for tools/corpora: sentences of paragraphs, their alignment by length and words, cleaning, and the choice of
those that are like everyday text."""

import collections
import html
import math
import re
import unicodedata

# Sentences

ABBREVIATION = re.compile(r"\b(?:M|Mr|Mrs|Ms|Dr|St|Mme|Mlle|MM|vs|etc|e\.g|i\.e|cf|No|art|p|vol|ch|fig|Prof|Jr|Sr|Inc|Ltd|[A-Z])\.$")
WORDS = re.compile(r"[a-zà-ÿœ]+|\d+|[\u4e00-\u9fff]")


def sentences(text, chinese=False):
    text = " ".join(text.split())
    if chinese:
        return [part.strip() for part in re.findall(r"[^。！？!?]+[。！？!?]*[」』”’）)]*", text) if part.strip()]
    found = []
    for part in re.split(r"(?<=[.!?…])(?<![A-Z]\.)\s+|(?<=[.!?…][\"'”’»)\]])\s+|(?<=[.!?…] »)\s+", text):
        # a sentence neither ends in an abbreviation nor begins in lower case
        if found and (ABBREVIATION.search(found[-1]) or re.match(r"[a-zà-ÿ,;:—–»!?-]", part)):
            found[-1] += " " + part
        elif part:
            found.append(part)
    return found


# Alignment: Gale & Church 1993, "A Program for Aligning Sentences in Bilingual Corpora". What it costs that so many sentences stand
# for so many is the logarithm of its frequency there.
COST_OF_MOVE = {(1, 1): -math.log(0.89), (1, 0): -math.log(0.0099), (0, 1): -math.log(0.0099), (2, 1): -math.log(0.089),
                (1, 2): -math.log(0.089), (2, 2): -math.log(0.011)}
VARIANCE = 6.8
DOUBTFUL, CERTAIN = 8.0, 1.0 # costs
LONGEST_WALK = 12 # sentences away from the diagonal, besides what one side has more


def cost_of_length(source, target, ratio):
    """How unlikely it is that texts of these lengths are translations; at most 30."""
    deviation = abs(target - source * ratio) / math.sqrt(VARIANCE * max(1.0, (source + target / ratio) / 2))
    return min(30.0, -math.log(max(1e-13, math.erfc(deviation / math.sqrt(2)))))


def align(source, target, dictionary=None):
    """The cheapest sequence of moves through two lists of texts, each (begin, end, begin, end, cost). With a dictionary, {word:
    words of the target}, a pair is cheaper, the more of its words are found."""
    ratio = sum(map(len, target)) / max(1, sum(map(len, source)))
    width = LONGEST_WALK + abs(len(source) - len(target))
    words, there = ([set(WORDS.findall(text.lower())) for text in side] if dictionary else [] for side in (source, target))
    expected = [each.union(*(dictionary.get(word, ()) for word in each)) for each in words]

    def cost(i, di, j, dj):
        if not di or not dj:
            return COST_OF_MOVE[di, dj]
        lengths = cost_of_length(sum(map(len, source[i:i + di])), sum(map(len, target[j:j + dj])), ratio)
        if not dictionary or lengths > DOUBTFUL:
            return COST_OF_MOVE[di, dj] + lengths + (6 if dictionary else 0)
        found = set().union(*expected[i:i + di]) & set().union(*there[j:j + dj])
        share = len(found) / max(4, min(sum(map(len, words[i:i + di])), sum(map(len, there[j:j + dj]))))
        return COST_OF_MOVE[di, dj] + lengths + 6 - 12 * min(1.0, share)

    best = {(0, 0): (0.0, None)}
    for i in range(len(source) + 1):
        middle = i * len(target) // max(1, len(source))
        for j in range(max(0, middle - width), min(len(target), middle + width) + 1):
            ways = [(best[i - di, j - dj][0] + cost(i - di, di, j - dj, dj), (di, dj))
                    for di, dj in COST_OF_MOVE if (i - di, j - dj) in best]
            if ways:
                best[i, j] = min(ways)
    moves, i, j = [], len(source), len(target)
    while (i, j) != (0, 0):
        total, (di, dj) = best[i, j]
        moves.append((i - di, i, j - dj, j, total - best[i - di, j - dj][0]))
        i, j = i - di, j - dj
    return moves[::-1]


def alike(lengths, others):
    """Whether as many texts are about as long as those beside them."""
    ratio = sum(others) / max(1, sum(lengths))
    return len(lengths) == len(others) and all(abs(a * ratio - b) < 12 + 0.45 * max(a * ratio, b) for a, b in zip(lengths, others))


def sentence_pairs(source, target, chinese):
    """The pairs of sentences of two paragraphs; where one has no counterpart, the paragraphs, if they are short."""
    left, right = sentences(source), sentences(target, chinese)
    if alike([len(one) for one in left], [len(one) for one in right]):
        return list(zip(left, right))
    moves = align(left, right)
    if any(i == i_end or j == j_end or cost > DOUBTFUL for i, i_end, j, j_end, cost in moves):
        return [(source, target)] if max(len(source), len(target)) < 300 else []
    return [(" ".join(left[i:i_end]), ("" if chinese else " ").join(right[j:j_end])) for i, i_end, j, j_end, _ in moves]


def dictionary_of(pairs, least=2, share=0.08, most=5):
    """The words that go together in pairs of sentences, by Dice's coefficient."""
    left, right, both = collections.Counter(), collections.Counter(), collections.Counter()
    for source, target in pairs:
        words = [set(WORDS.findall(text.lower())) for text in (source, target)]
        left.update(words[0])
        right.update(words[1])
        both.update((word, other) for word in words[0] for other in words[1])
    found = collections.defaultdict(list)
    for (word, other), count in both.items():
        dice = 2 * count / (left[word] + right[other])
        if count >= least and dice > share:
            found[word].append((dice, other))
    for word, _ in left.most_common(min(25, len(left) // 20)):
        found.pop(word, None) # articles and pronouns go with everything
    return {word: [other for _, other in sorted(others)[-most:]] for word, others in found.items()}


def book_pairs(source, target):
    """The pairs of sentences of two books, {chapter: paragraphs}. Chapters are aligned as sentences are. Sentences are aligned by
    length first; what that finds gives the dictionary for a second time."""
    chapters = [["\n".join(paragraphs) for paragraphs in each.values()] for each in (source, target)]
    parts = []
    for i, i_end, j, j_end, _ in align(*chapters):
        texts = "\n".join(chapters[0][i:i_end]), "\n".join(chapters[1][j:j_end])
        if all(texts) and 0.5 < len(texts[0]) / len(texts[1]) < 2:
            parts.append([[re.sub("^— ?", "", one) for paragraph in text.split("\n") for one in sentences(paragraph)]
                          for text in texts])
    dictionary = None
    for _ in range(2):
        moves = ((left[i:i_end], right[j:j_end], cost) for left, right in parts
                 for i, i_end, j, j_end, cost in align(left, right, dictionary))
        pairs = [(" ".join(some), " ".join(others)) for some, others, cost in moves
                 if some and others and len(some) + len(others) < 4 and cost < CERTAIN]
        dictionary = dictionary_of(pairs)
    return pairs


# Cleaning

MISSING = "\ue000" # what a text lacks
SAME_AS = str.maketrans({"\u00a0": " ", "\u202f": " ", "\u3000": " ", "\u200b": "", "\ufeff": "", "\u00ad": "", "’": "'", "ʼ": "'"})
MARKUP = [(re.compile(pattern), replacement) for pattern, replacement in (
    (":rfc:`", "RFC `"), (":pep:`", "PEP `"), # roles and links of reStructuredText
    (r":[\w:+-]+:`[!~]?([^`<]*?)\s*(?:<[^`>]*>)?`", r"\1"),
    (r"`([^`<]+?)\s*<[^`>]*>`_*", r"\1"),
    (r"!\[[^\]]*\]\([^)]*\)", ""), # pictures and links of Markdown
    (r"\[([^\]]*)\]\([^)]*\)", r"\1"),
    (r"\{/\*.*?\*/\}|\{#[^}]*\}|^\[![A-Z]+\]\s*", ""), # anchors, kinds of boxes
    (r"\*\*|``?_*|(?<!\w)\*(?=\w)|(?<!\w)_(?=[^\W_])|(?<=[\w.!?])\*(?!\w)|(?<=[^\W_])_(?!\w)", ""),
    (r"^\s*\d+[.)]\s+", ""))]
BETWEEN_HAN = re.compile(r"(?<=[\u4e00-\u9fff\u3000-\u303f\uff00-\uffef]) (?=[\u4e00-\u9fff\u3000-\u303f\uff00-\uffef])")
NOT_TEXT = re.compile("|".join((
    r"[<>{}|\\^=~@#$`\x00-\x1f]", MISSING, # symbols, placeholders
    r"\*\*", r"__", r"\]\(", r"\[\[", r"&[a-z]+;", # what is left of markup
    r"\s[.,)](?:\s|$)", # before which something is missing
    r"https?:", r"www\.", r"\w/\w+/", r"\.(?:md|exe|dll|json|xml|py|php|html|yml|aspx|js|cs)\b", # addresses, files
    r"->", r"::", r"\(\)", r"%[\w(]", r"\w_\w", r"\.\w+\(", r"[a-z][A-Z][a-z]\w*[A-Z]"))) # code
WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*|\d+")
LETTER, HAN = re.compile(r"[^\W\d_]"), re.compile("[\u4e00-\u9fff]")
SMALL_NUMBERS = {str(number) for number in range(24)} - {str(number) for number in range(3, 12)} # written as words, or as hours
LONGEST = 40 # words


def without_markup(text):
    """A text without Markdown and reStructuredText."""
    for pattern, replacement in MARKUP:
        text = pattern.sub(replacement, text)
    return text


def plain(text, chinese=False):
    """A text without tags, in one way of writing. An empty tag stands for what is not there, as a name: a mark that is refused."""
    text = re.sub(r"<(?:/?(?:p|li|div)|br)\b[^<>]*>", " ", unicodedata.normalize("NFC", text))
    text = re.sub(r"</?[a-zA-Z!][^<>]*>", "", re.sub(r"<\w[^<>]*/>|<(\w+)></\1>", MISSING, text))
    text = re.sub(r"^[-*+•·]\s+", "", " ".join(html.unescape(text).translate(SAME_AS).split()))
    return BETWEEN_HAN.sub("", text.translate(str.maketrans("「」『』", "“”‘’"))) if chinese else text


def numbers(text):
    return set(re.findall(r"\d+", re.sub(r"(?<=\d)[ ,.](?=\d{3}\b)", "", text)))


def length_fits(english, other, words, chinese):
    if chinese:
        han = len(HAN.findall(other))
        length = (han + (len(LETTER.findall(other)) - han) / 4) / len(words)
        return 0.7 <= length <= 4.2 if len(words) > 3 else length <= 8
    length = len(other) / len(english)
    return 0.6 <= length <= 2.1 if len(words) > 3 else 0.25 <= length <= 5


def copied(words, other):
    """Whether both sides share most words: one is not translated."""
    there = collections.Counter(word.lower() for word in WORD.findall(other))
    shared = collections.Counter(word.lower() for word in words) & there
    return len(words) > 2 and sum(shared.values()) > 0.6 * min(len(words), sum(there.values()))


def fault(english, other, chinese):
    """Why a pair is of no use, or None."""
    words, letters, han = WORD.findall(english), LETTER.findall(other), HAN.findall(other)
    if not english or not other or english == other:
        return "equal or empty"
    if NOT_TEXT.search(english) or NOT_TEXT.search(other):
        return "markup or code"
    if not 1 <= len(words) <= LONGEST:
        return "length"
    if len(LETTER.findall(english)) < max(2, 0.55 * len(english)) or len(letters) < 0.45 * len(other):
        return "few letters"
    if HAN.search(english) or (2 * len(han) < len(letters) or not han if chinese else han):
        return "script"
    if not length_fits(english, other, words, chinese):
        return "ratio of lengths"
    if not chinese and copied(words, other):
        return "not translated"
    here, there = numbers(english), numbers(other)
    if not (here ^ there <= SMALL_NUMBERS or chinese and there <= here and re.search("[一二三四五六七八九十百千万两半]", other)):
        return "numbers"
    unfinished = len(words) > 8 and english[-1] in ".?!" and not re.search(r"[.!?。！？…;:；：\"”»)]$", other)
    if english.count("(") != english.count(")") or unfinished:
        return "cut off"
    return None


def folded(text):
    return re.sub(r"[\W_]+", " ", text.lower()).strip()


def cleaned(pairs, chinese, why):
    """Yields the pairs that are of use, each once and of a source at most two; counts in `why` what the others lack."""
    seen, translations = set(), collections.Counter()
    for pair in pairs:
        english, other = plain(pair[0]), plain(pair[1], chinese)
        reason = fault(english, other, chinese)
        key = folded(english), folded(other)
        if not reason and (key in seen or translations[key[0]] >= 2):
            reason = "repeated"
        why[reason or "kept"] += 1
        if not reason:
            seen.add(key)
            translations[key[0]] += 1
            yield english, other


# Choice: Moore & Lewis 2010, "Intelligent Selection of Language Model Training Data".

TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)*|\d+|[.?!,;:]")
VOCABULARY = 40000


class Bigrams:
    """A model of pairs of words, interpolated with one of words: the rarer a word, the less it says of the next."""

    def __init__(self, texts):
        self.single, self.double = collections.Counter(), collections.Counter()
        for text in texts:
            tokens = ["", *TOKEN.findall(text.lower())]
            self.single.update(tokens)
            self.double.update(zip(tokens, tokens[1:]))
        self.total = sum(self.single.values())

    def mean(self, tokens):
        """The mean logarithm of the probability of a token."""
        total = 0.0
        for before, token in zip(tokens, tokens[1:]):
            seen = self.single[before]
            alone = (self.single[token] + 0.5) / (self.total + 0.5 * VOCABULARY)
            total += math.log((self.double[before, token] + 20 * alone) / (seen + 20))
        return total / max(1, len(tokens) - 1)


def most_like(pairs, everyday, most):
    """Of the pairs, in their order, those whose English is most like the texts of `everyday`, rather than like the other pairs'.
    Whole sentences are preferred to pieces, and those of up to 25 words."""
    there, here = Bigrams(everyday), Bigrams(english for english, _ in pairs[::1 + len(pairs) // 40000])

    def score(english):
        tokens = ["", *TOKEN.findall(english.lower())]
        whole = re.match(r"[A-Z\"“]", english) and english[-1] in ".?!"
        return there.mean(tokens) - here.mean(tokens) + (0.25 if whole else 0) - 0.02 * max(0, len(tokens) - 26)

    ranked = sorted((index for index, (english, _) in enumerate(pairs) if len(TOKEN.findall(english.lower())) >= 3),
                    key=lambda index: -score(pairs[index][0]))
    return [pairs[index] for index in sorted(ranked[:most])]
