#!/usr/bin/python3
"""Regard's model in PyTorch, trained and decoded as a good PyTorch engineer would: what `make bench` compares with.

    /usr/bin/python3 bench/peer_torch.py FOLDER

FOLDER holds workload.json (options and batches) and first.safetensors (the first weights), which bench/speed writes. Every
line of standard input is a question, a JSON object; the answer is a line of JSON on standard output: {"error": …} if it
could not be done.

    {"do": "check", "steps": N}             losses of the first batches, a step after each, without dropout
    {"do": "settle", "batches": N}          tries settings of training, keeps the fastest for each precision
    {"do": "train", "precision": P}         one pass over all batches: seconds, target_tokens
    {"do": "load", "model": FILE, "sources": [[…], …]}      what is decoded
    {"do": "decode", "beam": K, "batch": B, "count": N}     translates the first N: seconds, outputs, median_latency

What makes it fast: nn.GRU over packed sequences; keys, input projections, readouts and logits of all steps at once; the
loss over real tokens alone; tensors padded once, before anything is measured; Adam over all tensors at once; the number of
threads that suits it. Search is in tensors: no loop over hypotheses, sentences that are done leave the batch.
"""
import json
import math
import os
import resource
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../python/regard"))
NEVER = float("-inf")


def answer(**members):
    print(json.dumps(members), flush=True)


try:
    import torch
    from pytorch import BEGIN, END, PAD, Network, read_model
    from torch import nn
    from torch.nn import functional
    from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
except ImportError as problem:
    answer(error=f"{sys.executable}: {problem}")
    sys.exit(0)


def padded(sentences):
    """Lists of ids → ids (B, longest), lengths (B)"""
    lengths = torch.tensor([len(sentence) for sentence in sentences])
    ids = torch.full((len(sentences), int(lengths.max())), PAD)
    for row, sentence in zip(ids, sentences):
        row[: len(sentence)] = torch.tensor(sentence)
    return ids, lengths


class Batch:
    """Pairs as tensors; made once, so that no training pays for it. Sorted by source length, as packed sequences want
    it, and so that padding is little."""

    def __init__(self, pairs):
        pairs = sorted(pairs, key=lambda pair: -len(pair[0]))
        self.source, self.source_lengths = padded([source for source, _ in pairs])
        self.target, target_lengths = padded([target for _, target in pairs])
        begins = torch.full_like(self.target[:, :1], BEGIN)
        self.before = torch.cat([begins, self.target[:, :-1]], dim=1)
        steps = self.target.shape[1]
        inside = torch.arange(steps)[:, None] < target_lengths  # (T, B)
        self.places = inside.flatten().nonzero()[:, 0]  # of the real tokens among (T·B)
        self.wanted = self.target.T.reshape(-1)[self.places]
        self.target_tokens = int(target_lengths.sum())


class Model(Network):
    """The module that users have, with faster passes."""

    def __init__(self, tensors, dropout):
        super().__init__(tensors)
        self.float()
        self.dropout = dropout

    @property
    def output_weight(self):
        return self.target_table.weight if self.tied else self.output.weight

    def drop(self, tensor):
        if self.training and self.dropout > 0:
            return functional.dropout(tensor, self.dropout)
        return tensor

    def encode(self, source, lengths):
        """source (B, S), lengths (B), longest first → s_0 (B, D), annotations (B, S, C), keys (B, S, A), and what is
        added to energies (B, S): 0, or −∞ behind a sentence's end"""
        embedded = self.drop(self.source_table(source))
        packed = pack_padded_sequence(embedded, lengths, batch_first=True)
        annotations, _ = pad_packed_sequence(self.encoder(packed)[0], batch_first=True)
        behind = torch.arange(source.shape[1]) >= lengths[:, None]
        if self.embedding_in_annotations:
            annotations = torch.cat([annotations, embedded.masked_fill(behind[:, :, None], 0)], dim=2)
        state = torch.tanh(self.bridge(annotations.sum(dim=1) / lengths[:, None]))
        annotations = self.drop(annotations)
        bar = torch.zeros(behind.shape).masked_fill(behind, NEVER)
        return state, annotations, self.attention.key(annotations), bar

    def split_weights(self):
        """W_i = [W_iy W_ic]: the columns that multiply y and those that multiply c, in the conditional GRU two matrices.
        Once for all steps: autograd fills a whole matrix with the gradient of every slice."""
        E = self.target_table.embedding_dim
        if self.conditional:
            return self.decoder.weight_ih, self.decoder.second.weight_ih
        return self.decoder.weight_ih.split([E, self.decoder.weight_ih.shape[1] - E], dim=1)

    @staticmethod
    def transition(cell, gates, state):
        """gates = W_i x + b_i (…, 3D), state (…, D) → the next state"""
        hidden = functional.linear(state, cell.weight_hh, cell.bias_hh)
        gate_r, gate_z, gate_n = gates.chunk(3, dim=-1)
        hidden_r, hidden_z, hidden_n = hidden.chunk(3, dim=-1)
        reset, update = torch.sigmoid(gate_r + hidden_r), torch.sigmoid(gate_z + hidden_z)
        new = torch.tanh(gate_n + reset * hidden_n)
        return new + update * (state - new)

    def step(self, projected, state, attend, weight_context):
        """projected = W_iy y + b_i (…, 3D), state (…, D) → s_t, c_t; attend(query) gives the context."""
        if self.conditional:
            state = self.transition(self.decoder, projected, state)
            context = attend(self.attention.query(state))
            second = self.decoder.second
            gates = functional.linear(context, weight_context, second.bias_ih)
            return self.transition(second, gates, state), context
        context = attend(self.attention.query(state))
        gates = projected + functional.linear(context, weight_context)
        return self.transition(self.decoder, gates, state), context

    def loss(self, batch, smoothing):
        """The mean over the batch's target tokens."""
        state, annotations, keys, bar = self.encode(batch.source, batch.source_lengths)
        embedded = self.drop(self.target_table(batch.before.T))  # (T, B, E)

        def attend(query):
            energies = torch.tanh(query[:, None] + keys) @ self.attention.v + bar  # (B, S)
            return torch.bmm(torch.softmax(energies, dim=1)[:, None], annotations)[:, 0]

        states, contexts = [], []
        weight_input, weight_context = self.split_weights()
        projected = functional.linear(embedded, weight_input, self.decoder.bias_ih)
        for projected_t in projected.unbind(0):
            state, context = self.step(projected_t, state, attend, weight_context)
            states.append(state)
            contexts.append(context)
        joined = torch.cat([torch.stack(states), embedded, torch.stack(contexts)], dim=2)
        joined = joined.flatten(0, 1).index_select(0, batch.places)  # real tokens alone
        readouts = self.drop(torch.tanh(self.readout(joined)))
        logits = functional.linear(readouts, self.output_weight, self.output.bias)
        return functional.cross_entropy(logits, batch.wanted, label_smoothing=smoothing)


class Trainer:
    """Adam with clipping by norm, and the rates of `regard train`. No running average of the parameters, which Regard
    computes as well."""

    def __init__(self, tensors, options, dropout, autocast):
        self.model = Model(tensors, dropout)
        self.model.train()
        self.options = options
        self.autocast = autocast
        self.steps = 0
        self.parameters = list(self.model.parameters())
        self.adam = torch.optim.Adam(
            self.parameters, lr=1.0, betas=(0.9, 0.98), eps=1e-9, foreach=True
        )

    def step(self, batch):
        self.steps += 1
        warmup = max(1, self.options["warmup"])
        rate = min(self.steps / warmup, math.sqrt(warmup / self.steps))
        for group in self.adam.param_groups:
            group["lr"] = self.options["learning_rate"] * rate
        self.adam.zero_grad(set_to_none=True)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.autocast):
            loss = self.model.loss(batch, self.options["label_smoothing"])
        loss.backward()
        if self.options["clip_norm"] > 0:
            nn.utils.clip_grad_norm_(self.parameters, self.options["clip_norm"])
        self.adam.step()
        return loss

    def seconds(self, batches):
        began = time.perf_counter()
        for batch in batches:
            self.step(batch)
        return time.perf_counter() - began

    def rate(self, batches):
        """Target tokens a second."""
        return sum(batch.target_tokens for batch in batches) / self.seconds(batches)


class Search:
    """Greedy (beam 1) and beam search over a batch, as regard's src/search/beam.h describes it: a hypothesis that ends
    takes one of its sentence's places; the final order is by log p / length^α."""

    def __init__(self, model, beam, normalization=1.0):
        self.model, self.beam, self.normalization = model, beam, normalization
        self.weight_input, self.weight_context = model.split_weights()

    def encode(self, sources):
        ids, lengths = padded(sources)
        state, annotations, keys, bar = self.model.encode(ids, lengths)
        self.limits = 2 * lengths + 10
        self.state = state[:, None]  # (B, K, D), K = 1 at first
        self.memory = [annotations, keys, bar]

    def attend(self, query):
        """query (B, K, A) → contexts (B, K, C)"""
        annotations, keys, bar = self.memory
        hidden = torch.tanh(query[:, :, None] + keys[:, None])  # (B, K, S, A)
        alpha = torch.softmax(hidden @ self.model.attention.v + bar[:, None], dim=2)
        return torch.bmm(alpha, annotations)

    def advance(self, tokens, first):
        """tokens (B, K) → the K best continuations of each hypothesis: log-probabilities and ids (B, K, beam)"""
        model = self.model
        embedded = model.target_table(tokens)
        projected = functional.linear(embedded, self.weight_input, model.decoder.bias_ih)
        self.state, context = model.step(projected, self.state, self.attend, self.weight_context)
        readout = torch.tanh(model.readout(torch.cat([self.state, embedded, context], dim=2)))
        logits = functional.linear(readout, model.output_weight, model.output.bias)
        normaliser = torch.logsumexp(logits, dim=2, keepdim=True)
        logits[:, :, : END + 1 if first else END] = NEVER
        if self.beam == 1:
            best, ids = logits.max(dim=2, keepdim=True)
        else:
            best, ids = logits.topk(self.beam, dim=2)
        return best - normaliser, ids

    def run(self, sources):
        """The best hypothesis of each source, longest source first; </s> left out."""
        self.encode(sources)
        count, beam = len(sources), self.beam
        alive = torch.arange(count)  # which sentences the rows of the tensors are
        tokens = torch.full((count, 1), BEGIN)
        scores = torch.zeros(count, 1)
        places = torch.full((count,), beam)
        best = torch.full((count,), NEVER)  # score of the best that ended,
        best_step = torch.zeros(count, dtype=torch.long)  # where it ended
        best_rank = torch.zeros(count, dtype=torch.long)
        history = []  # of each step: sentences (n), ids (n, K), parents (n, K)
        rank = torch.arange(beam)
        for step in range(int(self.limits.max())):
            log_p, ids = self.advance(tokens, step == 0)
            total = (scores[:, :, None] + log_p).flatten(1)  # (n, K·beam)
            chosen, order = total.topk(min(beam, total.shape[1]), dim=1)
            parents = order.div(beam, rounding_mode="floor")
            tokens = ids.flatten(1).gather(1, order)
            history.append((alive, tokens, parents))
            counts = rank[: chosen.shape[1]] < places[:, None]  # the rest has no place
            counts &= chosen > NEVER
            ends = counts & ((tokens == END) | (step + 1 >= self.limits)[:, None])
            # of those that end, the first is the likeliest, and the earliest keeps a tie
            ended = torch.where(ends, chosen, NEVER).max(dim=1)
            score = ended.values / (step + 1) ** self.normalization
            better = score > best[alive]
            best[alive[better]] = score[better]
            best_step[alive[better]] = step
            best_rank[alive[better]] = ended.indices[better]
            places = places - ends.sum(dim=1)
            scores = chosen.masked_fill(ends | ~counts, NEVER)
            index = parents[:, :, None].expand(-1, -1, self.state.shape[2])
            self.state = self.state.gather(1, index)
            live = (scores > NEVER).any(dim=1) & (places > 0)
            if not bool(live.all()):
                kept = live.nonzero()[:, 0]
                if len(kept) == 0:
                    break
                alive, tokens, scores = alive[kept], tokens[kept], scores[kept]
                places, self.state, self.limits = places[kept], self.state[kept], self.limits[kept]
                self.memory = [tensor[kept] for tensor in self.memory]
        return self.read(history, best_step, best_rank)

    def read(self, history, step, rank):
        """Follows every sentence's best hypothesis back, all at once."""
        count = len(step)
        outputs = torch.full((count, len(history)), END)
        row = torch.zeros(count, dtype=torch.long)
        for t in range(len(history) - 1, -1, -1):
            alive, tokens, parents = history[t]
            here = step[alive] >= t
            at = torch.where(step[alive] == t, rank[alive], row[alive])[:, None]
            said = tokens.gather(1, at)[:, 0]
            outputs[alive[here], t] = said[here]
            row[alive[here]] = parents.gather(1, at)[here, 0]
        lists = outputs.tolist()
        said = [ids[: last + 1] for ids, last in zip(lists, step.tolist())]
        return [ids[:-1] if ids[-1] == END else ids for ids in said]


class Peer:
    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, "workload.json"), encoding="utf-8") as file:
            workload = json.load(file)
        self.options = workload["options"]
        self.batches = [Batch(pairs) for pairs in workload["batches"]]
        self.tensors, _ = read_model(os.path.join(folder, "first.safetensors"))
        self.trainers = {}  # by precision: threads and the trainer
        self.decoding = {}  # by (beam, batch): threads

    def trainer(self, dropout=None, autocast=False):
        if dropout is None:
            dropout = self.options["dropout"]
        return Trainer(self.tensors, self.options, dropout, autocast)

    def check(self, steps):
        trainer = self.trainer(dropout=0)
        losses = [float(trainer.step(batch)) for batch in self.batches[:steps]]
        answer(losses=losses)

    def thread_counts(self):
        most = self.options["threads"]
        return sorted({1, most})

    def settle(self, batches):
        """The first batches with every setting; the fastest of each precision goes on. What is much slower than the best
        is given up early."""
        sample = self.batches[:batches]
        policy = os.environ.get("OMP_WAIT_POLICY", "not set")
        found = {}
        for precision in ["float32", "bf16"]:
            for threads in self.thread_counts():
                trainer = self.trainer(autocast=precision == "bf16")
                best = found.get(precision, {}).get("tokens_per_second", 0.0)
                torch.set_num_threads(threads)
                try:
                    rate = trainer.rate(sample[:1])
                    if rate > best / 4:  # else not even a second look
                        rate = trainer.rate(sample[:1])
                    if rate > best / 2:
                        rate = max(rate, trainer.rate(sample))
                except RuntimeError:  # what this PyTorch cannot do in bf16
                    continue
                if rate > best:
                    setting = f"{threads} threads, OMP_WAIT_POLICY {policy}"
                    found[precision] = {"tokens_per_second": rate, "setting": setting}
                    self.trainers[precision] = threads, trainer
        answer(**found)

    def train(self, precision):
        threads, trainer = self.trainers[precision]
        torch.set_num_threads(threads)
        seconds = trainer.seconds(self.batches)
        answer(seconds=seconds, target_tokens=sum(batch.target_tokens for batch in self.batches))

    def memory(self, workload):
        """The most memory this process has held, in bytes, after some steps with the batches of another file."""
        with open(os.path.join(self.folder, workload), encoding="utf-8") as file:
            batches = [Batch(pairs) for pairs in json.load(file)["batches"][:8]]
        torch.set_num_threads(self.options["threads"])
        trainer = self.trainer()
        for batch in batches:
            trainer.step(batch)
        answer(bytes=1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)

    def load(self, model, sources):
        tensors, _ = read_model(model)
        self.translator = Model(tensors, 0).eval()
        self.sources = sources
        self.decoding = {}
        answer(sentences=len(sources))

    def translate(self, beam, batch, order):
        """Sources in that order → seconds, outputs in the order, seconds of each batch"""
        search = Search(self.translator, beam)
        outputs, latencies = [], []
        with torch.inference_mode():
            for first in range(0, len(order), batch):
                sources = [self.sources[i] for i in order[first : first + batch]]
                began = time.perf_counter()
                outputs += search.run(sources)
                latencies.append(time.perf_counter() - began)
        return sum(latencies), outputs, latencies

    def decode(self, beam, batch, count):
        # longest first, as packed sequences want it and so that a batch is of like lengths
        order = sorted(range(count), key=lambda i: -len(self.sources[i]))
        if (beam, batch) not in self.decoding:
            sample = order[: 2 * batch if batch > 1 else 8]
            seconds = {}
            for threads in self.thread_counts():
                torch.set_num_threads(threads)
                self.translate(beam, batch, sample[:batch])  # warm
                seconds[threads] = self.translate(beam, batch, sample)[0]
            self.decoding[beam, batch] = min(seconds, key=seconds.get)
        threads = self.decoding[beam, batch]
        torch.set_num_threads(threads)
        seconds, outputs, latencies = self.translate(beam, batch, order)
        placed = [None] * count
        for i, output in zip(order, outputs):
            placed[i] = output
        median = sorted(latencies)[len(latencies) // 2]
        answer(seconds=seconds, outputs=placed, threads=threads, median_latency=median)


def blas_library():
    """The library that PyTorch's products came with, where Linux tells."""
    try:
        with open("/proc/self/maps", encoding="utf-8") as maps:
            paths = {line.split()[-1] for line in maps if "blas" in line}
    except OSError:
        return "unknown"
    return " ".join(sorted({os.path.basename(os.path.realpath(path)) for path in paths}))


def main(folder):
    try:
        peer = Peer(folder)
        torch.manual_seed(peer.options["seed"])
        answer(torch=torch.__version__, python=sys.version.split()[0], blas=blas_library())
        for line in sys.stdin:
            question = json.loads(line)
            getattr(peer, question.pop("do"))(**question)
    except Exception as problem:  # whoever asked must hear of it
        answer(error=f"{type(problem).__name__}: {problem}".replace("\n", " "))
        raise


if __name__ == "__main__":
    main(sys.argv[1])
