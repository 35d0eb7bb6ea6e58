"""A model of Regard as a PyTorch module, whose outputs equal the program's: to look into it, or to train it further there.

    from regard.pytorch import Network, load_model
    network = load_model("en-fr.safetensors")
    print(network.log_probability([17, 254], [301, 9]))      # of ids as `regard tokenize --ids` prints them, also with --target

    python3 -m regard.pytorch en-fr.safetensors en-fr.pt     # for programs without Regard, which copy this file:

    saved = torch.load("en-fr.pt")                           # also the vocabularies, as docs/formats.md describes them
    network = Network(saved["tensors"], saved["attention"], saved["heads"])

Bahdanau, Cho & Bengio (2014), arXiv 1409.0473, built from nn.GRU, nn.GRUCell and nn.Linear, in double unless network.float()
is called. Regard's own tests compare with it. Letters: B sentences, S source steps, T target steps, E embedding, H encoder
units per direction, C width of an annotation (2H, or 2H + E), D decoder units, A attention units, V vocabulary. state_dict()
has exactly the tensor names of a model file.
"""

import json
import struct
import sys

import torch
from torch import nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

PAD, UNKNOWN, BEGIN, END = range(4)

EPSILON = 1e-8  # the smallest norm that cosine divides by


class Attention(nn.Module):
    """softmax over the sentence's own positions, then Σ_j α_tj v_j. A scorer's forward takes the query s_{t-1} (B, D),
    annotations (B, S, C) and inside (B, S), true where there is a token, and returns energies (B, heads, S),
    alpha (B, heads, S) and context (B, C); heads is 1 for all but multi-head."""

    def __init__(self, sizes):
        super().__init__()
        self.D, self.A, self.C, self.heads = sizes

    def mix(self, energies, values, inside):
        """energies (B, heads, S), values (B, S, C) → what forward returns, with the heads'
        weighted sums concatenated as the context"""
        B, S, _ = values.shape
        alpha = torch.softmax(energies.masked_fill(~inside[:, None], float("-inf")), dim=2)
        split = values.view(B, S, energies.shape[1], -1)
        mixed = (alpha.transpose(1, 2)[:, :, :, None] * split).sum(dim=1)  # (B, heads, C / heads)
        return energies, alpha, mixed.flatten(1)


class Additive(Attention):
    """e_tj = vᵀ tanh(W_a q + b_a + U_a h_j)"""

    def __init__(self, *sizes):
        super().__init__(sizes)
        self.query = nn.Linear(self.D, self.A)  # W_a, b_a
        self.key = nn.Linear(self.C, self.A, bias=False)  # U_a
        self.v = nn.Parameter(torch.empty(self.A))

    def forward(self, query, annotations, inside):
        hidden = torch.tanh(self.query(query)[:, None, :] + self.key(annotations))  # (B, S, A)
        return self.mix((hidden @ self.v)[:, None], annotations, inside)


class General(Attention):
    """e_tj = (W q)ᵀ h_j"""

    def __init__(self, *sizes):
        super().__init__(sizes)
        self.query = nn.Linear(self.D, self.C, bias=False)

    def forward(self, query, annotations, inside):
        energies = torch.einsum("bw,bsw->bs", self.query(query), annotations)
        return self.mix(energies[:, None], annotations, inside)


class Dot(General):
    """e_tj = qᵀ h_j if D = C, else like general"""

    def __init__(self, *sizes):
        super().__init__(*sizes)
        if self.D == self.C:
            self.query = nn.Identity()


class ScaledDot(Attention):
    """e_tj = (W_q q)ᵀ (W_k h_j) / √A, values W_v h_j; each head takes A/heads and C/heads of the
    columns, and √(A/heads)"""

    def __init__(self, *sizes):
        super().__init__(sizes)
        self.query = nn.Linear(self.D, self.A, bias=False)
        self.key = nn.Linear(self.C, self.A, bias=False)
        self.value = nn.Linear(self.C, self.C, bias=False)

    def forward(self, query, annotations, inside):
        B, S, _ = annotations.shape
        width = self.A // self.heads
        queries = self.query(query).view(B, self.heads, width)
        keys = self.key(annotations).view(B, S, self.heads, width)
        energies = torch.einsum("bkw,bskw->bks", queries, keys) / width**0.5
        return self.mix(energies, self.value(annotations), inside)


class MultiHead(ScaledDot):
    """W_O [c_1; …; c_heads]"""

    def __init__(self, *sizes):
        super().__init__(*sizes)
        self.output = nn.Linear(self.C, self.C, bias=False)

    def forward(self, query, annotations, inside):
        energies, alpha, mixed = super().forward(query, annotations, inside)
        return energies, alpha, self.output(mixed)


class Cosine(Attention):
    """e_tj = τ cos(W_q q, W_k h_j)"""

    def __init__(self, *sizes):
        super().__init__(sizes)
        self.query = nn.Linear(self.D, self.A, bias=False)
        self.key = nn.Linear(self.C, self.A, bias=False)
        self.temperature = nn.Parameter(torch.empty(1))

    def forward(self, query, annotations, inside):
        query = functional.normalize(self.query(query), dim=1, eps=EPSILON)
        keys = functional.normalize(self.key(annotations), dim=2, eps=EPSILON)
        energies = self.temperature * torch.einsum("ba,bsa->bs", query, keys)
        return self.mix(energies[:, None], annotations, inside)


class Mean(Attention):
    """c_t = the mean annotation, whatever the query; the energies are 0"""

    def __init__(self, *sizes):
        super().__init__(sizes)

    def forward(self, query, annotations, inside):
        return self.mix(annotations.new_zeros(inside[:, None].shape), annotations, inside)


class SelfAttention(nn.Module):
    """h' = LayerNorm(h + W_O concat_k softmax(Q_k K_kᵀ / √(C/heads)) V_k), by PyTorch's own
    multi-head attention and layer norm."""

    def __init__(self, annotation_size, heads):
        super().__init__()
        self.heads = heads
        for name in ["query", "key", "value", "output"]:
            setattr(self, name, nn.Linear(annotation_size, annotation_size, bias=False))
        self.norm = nn.LayerNorm(annotation_size)

    def forward(self, annotations, inside):
        """annotations (B, S, C), inside (B, S)
        → annotations (B, S, C), zero in padding; weights (B, heads, S, S)"""
        time_major = annotations.transpose(0, 1)  # (S, B, C)
        attended, weights = functional.multi_head_attention_forward(
            query=time_major,
            key=time_major,
            value=time_major,
            embed_dim_to_check=annotations.shape[2],
            num_heads=self.heads,
            in_proj_weight=None,
            in_proj_bias=None,
            bias_k=None,
            bias_v=None,
            add_zero_attn=False,
            dropout_p=0.0,
            out_proj_weight=self.output.weight,
            out_proj_bias=None,
            key_padding_mask=~inside,
            use_separate_proj_weight=True,
            q_proj_weight=self.query.weight,
            k_proj_weight=self.key.weight,
            v_proj_weight=self.value.weight,
            average_attn_weights=False,
        )
        normalised = self.norm(annotations + attended.transpose(0, 1))
        return normalised * inside[:, :, None], weights


SCORERS = {
    "additive": Additive,
    "dot": Dot,
    "general": General,
    "scaled-dot": ScaledDot,
    "cosine": Cosine,
    "multi-head": MultiHead,
    "none": Mean,
}


def positions(lengths, steps):
    """(B, steps) booleans: true where a sentence has a token."""
    return torch.arange(steps) < lengths[:, None]


class Network(nn.Module):
    """The whole model. `tensors` is {name in a model file: tensor} and determines sizes and kind:
    `embedding.weight` means one joint vocabulary, `output.weight` a separate output matrix,
    `self_attention.query.weight` self-attention, `decoder.second.weight_ih` the conditional GRU,
    and a bridge wider than the encoder's states annotations that hold embeddings, too.
    Only `heads` does not follow from it."""

    def __init__(self, tensors, attention="additive", heads=1):
        super().__init__()
        self.joint = "embedding.weight" in tensors
        self.tied = "output.weight" not in tensors
        for name in ["embedding"] if self.joint else ["source_embedding", "target_embedding"]:
            setattr(self, name, nn.Embedding(*tensors[f"{name}.weight"].shape))
        D, C = tensors["bridge.weight"].shape  # C is the width of an annotation
        H = tensors["encoder.weight_hh_l0"].shape[1]
        E = self.target_table.embedding_dim
        A = len(tensors.get("attention.key.weight", []))  # no keys, no attention units
        self.encoder = nn.GRU(E, H, batch_first=True, bidirectional=True)
        self.embedding_in_annotations = C > 2 * H
        self.self_attention = None
        if "self_attention.query.weight" in tensors:
            self.self_attention = SelfAttention(C, heads)
        self.bridge = nn.Linear(C, D)
        self.attention = SCORERS[attention](D, A, C, heads)
        self.conditional = "decoder.second.weight_ih" in tensors
        self.decoder = nn.GRUCell(E if self.conditional else E + C, D)
        if self.conditional:
            self.decoder.second = nn.GRUCell(C, D)
        self.readout = nn.Linear(D + E + C, E)
        self.output = nn.Module()
        self.output.bias = nn.Parameter(torch.empty(self.target_table.num_embeddings))
        if not self.tied:
            self.output.weight = nn.Parameter(torch.empty(tensors["output.weight"].shape))
        self.double()
        self.load_state_dict(tensors)  # strict: every name and shape must match

    @property
    def source_table(self):
        return self.embedding if self.joint else self.source_embedding

    @property
    def target_table(self):
        return self.embedding if self.joint else self.target_embedding

    def annotate(self, embedded, lengths):
        """embedded (B, S, E), lengths (B) → annotations (B, S, C), zero in padding. The packed
        sequence lets the backward direction start at each sentence's own last token."""
        packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
        packed, _ = self.encoder(packed)
        annotations, _ = pad_packed_sequence(
            packed, batch_first=True, total_length=embedded.shape[1]
        )
        if self.embedding_in_annotations:
            inside = positions(lengths, embedded.shape[1])
            annotations = torch.cat([annotations, embedded * inside[:, :, None]], dim=2)
        if self.self_attention is not None:
            annotations, _ = self.self_attention(
                annotations, positions(lengths, embedded.shape[1])
            )
        return annotations

    def first_state(self, annotations, lengths):
        """s_0 = tanh(W_b · mean_j h_j + b_b) over its own positions, </s> included → (B, D)"""
        return torch.tanh(self.bridge(annotations.sum(dim=1) / lengths[:, None]))

    def step(self, state, embedded, annotations, inside):
        """One decoder step: s_{t-1} (B, D), y_{t-1} (B, E)
        → s_t (B, D), c_t (B, C), α_t (B, S), the mean over heads, r_t (B, E)"""
        if self.conditional:
            state = self.decoder(embedded, state)
        _, alpha, context = self.attention(state, annotations, inside)
        if self.conditional:
            state = self.decoder.second(context, state)
        else:
            state = self.decoder(torch.cat([embedded, context], dim=1), state)
        readout = torch.tanh(self.readout(torch.cat([state, embedded, context], dim=1)))
        return state, context, alpha.mean(dim=1), readout

    def decode(self, state, embedded, annotations, lengths):
        """Teacher forcing: s_0 (B, D), y_0 … y_{T-1} (T, B, E), annotations (B, S, C), source
        lengths (B) → states (T, B, D), contexts (T, B, C), alpha (T, B, S), readouts (T, B, E)"""
        inside = positions(lengths, annotations.shape[1])
        steps = []
        for embedded_t in embedded:
            steps.append(self.step(state, embedded_t, annotations, inside))
            state = steps[-1][0]
        return tuple(torch.stack(tensors) for tensors in zip(*steps))

    def forward(self, source, source_lengths, target, masks=None):
        """source (B, S) and target (B, T) ids, both ending with </s> and then <pad>
        → logits (B, T, V), alpha (T, B, S)

        masks: inverted dropout, 0 or 1/(1-P), of `source_embedding` (B, S, E), `target_embedding`
        (B, T, E; y_{t-1} of step t, everywhere it is used), `annotations` (B, S, C; after the
        bridge's mean, the same for keys and values) and `readout` (B, T, E). None: no dropout."""

        def drop(place, tensor):
            return tensor * masks[place] if masks else tensor

        before = torch.cat([torch.full_like(target[:, :1], BEGIN), target[:, :-1]], dim=1)
        embedded_source = drop("source_embedding", self.source_table(source))
        embedded_target = drop("target_embedding", self.target_table(before))
        annotations = self.annotate(embedded_source, source_lengths)
        state = self.first_state(annotations, source_lengths)
        annotations = drop("annotations", annotations)
        _, _, alpha, readouts = self.decode(
            state, embedded_target.transpose(0, 1), annotations, source_lengths
        )
        readouts = drop("readout", readouts.transpose(0, 1))
        weight = self.target_table.weight if self.tied else self.output.weight
        return functional.linear(readouts, weight, self.output.bias), alpha

    def log_probabilities(self, source, source_lengths, target):
        """(B): natural logarithms of the targets' probabilities, summed over tokens and </s>"""
        logits, _ = self.forward(source, source_lengths, target)
        tokens = torch.log_softmax(logits, dim=2).gather(2, target[:, :, None])[:, :, 0]
        return (tokens * (target != PAD)).sum(dim=1)

    @torch.no_grad()
    def log_probability(self, source_ids, target_ids):
        """The same for one pair, as a float. Takes ids without </s> and adds it."""
        source = torch.tensor([[*source_ids, END]])
        target = torch.tensor([[*target_ids, END]])
        return self.log_probabilities(source, torch.tensor([source.shape[1]]), target).item()


TYPES = {"F32": torch.float32, "F64": torch.float64, "BF16": torch.bfloat16, "I8": torch.int8, "I32": torch.int32,
         "U8": torch.uint8}
INT4 = torch.tensor((-127, -89, -67, -51, -38, -26, -15, -5, 5, 15, 26, 38, 51, 67, 89, 127))


def read_model(path):
    """The network's tensors of a model file by name, of int4, int8 and bf16 too in float32, and the file's metadata"""
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        data = bytearray(file.read())
    metadata = header.pop("__metadata__", {})
    if metadata.get("format") != "regard" or "state" in metadata:
        raise ValueError(f"{path}: is not a model of Regard")
    tensors = {}
    for name, entry in header.items():
        if name.startswith(("shortlist.", "lexicon.", "aligner.")):  # of the search, and beside the network
            continue
        dtype, (begin, end) = TYPES[entry["dtype"]], entry["data_offsets"]
        tensor = torch.frombuffer(data[begin:end], dtype=dtype).reshape(entry["shape"])
        if dtype == torch.uint8:  # two steps of int4 in a byte
            steps = INT4[torch.stack((tensor & 15, tensor >> 4), dim=2).flatten(1).long()]
            tensor = steps[:, :json.loads(metadata["config"])["embedding"]]
        tensors[name] = tensor.to(torch.promote_types(tensor.dtype, torch.float32))
    for name in [name for name in tensors if name.endswith(".scale")]:
        tensors[name[:-len(".scale")]] *= tensors.pop(name)[:, None]
    return tensors, metadata


def load_model(path):
    """A model file as a Network"""
    tensors, metadata = read_model(path)
    config = json.loads(metadata["config"])
    return Network(tensors, config["attention"], config["heads"])


def main(model, output):
    tensors, metadata = read_model(model)
    config = json.loads(metadata["config"])
    Network(tensors, config["attention"], config["heads"])  # strict: it loads
    vocabularies = [json.loads(metadata[f"{side}_vocabulary"]) for side in ("source", "target")
                    if f"{side}_vocabulary" in metadata]
    torch.save({"tensors": tensors, "attention": config["attention"], "heads": config["heads"],
                "vocabularies": vocabularies}, output)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python3 -m regard.pytorch MODEL.safetensors OUTPUT.pt")
    main(*sys.argv[1:])
