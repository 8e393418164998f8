# Checks a run with nothing but its folder and Python's standard library: python3 check-run.py RUN_ROOT
# It prints what it checked and ends with 0, or names what does not fit and ends with 1.
import codecs, hashlib, json, pathlib, re, sys

root = pathlib.Path(sys.argv[1])
bad = []
sha256 = lambda data: "sha256:" + hashlib.sha256(data).hexdigest()
read = lambda file: file.read_bytes() if file.is_file() else b""
canonical = lambda value: json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()

# 1. The chain: which records count.
MARK = b',"digest":"sha256:'
records, known, head, epoch = [], {None}, None, 0
for number, line in enumerate((root / "journal.jsonl").read_bytes().split(b"\n")[:-1], 1):
    if line.endswith(b" ") or b"\0" in line:
        continue  # a framing line, or debris
    at = line.rfind(MARK)
    end = at + len(MARK) + 65
    if at < 0 or sha256(line[:at] + line[end:]).encode() != line[end - 72 : end - 1]:
        sys.exit(f"line {number} of the journal was altered")
    record = json.loads(line)
    counts = record["prev"] == head and record["seq"] == len(records) + 1 and record["epoch"] >= epoch
    if counts:
        records.append(record)
        head, epoch = record["digest"], record["epoch"]
    elif record["prev"] == head or record["prev"] not in known:
        sys.exit(f"line {number} of the journal hangs on nothing")
    known.add(record["digest"])  # when it does not count, it lost its race

if records and records[0]["data"]["schema_version"] not in ("journal.v1", "journal.v2"):
    sys.exit("a newer version of the program wrote this run")

# 2. Every file that a counting record names. A kill may leave a fold missing, or as an earlier record has it.
def refs(value):
    if isinstance(value, dict):
        if {"path", "sha256", "bytes"} <= value.keys():
            yield value
        for member in value.values():
            yield from refs(member)
    elif isinstance(value, list):
        for member in value:
            yield from refs(member)

files, folds = {}, {}
for data in (dict(record["data"]) for record in records):
    for ref in refs([data.pop("folds", None), data.pop("fold", None)]):
        folds.setdefault(ref["path"], set()).add(ref["sha256"])
    files.update((ref["path"], ref["sha256"]) for ref in refs(data))
    for path in data.get("given_up", []):
        files.pop(path, None)
for path, digest in files.items():
    if sha256(read(root / path)) != digest:
        bad.append(path)
for path, digests in folds.items():
    if (root / path).exists() and sha256(read(root / path)) not in digests:
        bad.append(path)

# 3. The sources: their names are the digests of their bytes.
sources = {r["data"]["source"]["source_digest"]: r["data"]["source"] for r in records if r["kind"] == "source.stored"}
texts = {}
# A decoded text is decoded again, where Python knows the charset as browsers do. These give a sign to each byte below 0xa0.
CODECS = {"utf-8": "utf-8", "utf-16le": "utf-16-le", "utf-16be": "utf-16-be", "shift_jis": "cp932", "euc-kr": "cp949", "gb18030": "gb18030", "koi8-r": "koi8-r"}
CODECS |= {f"windows-{n}": f"cp{n}" for n in (1250, 1251, 1252, 1253, 1254, 1256, 1257)} | {f"iso-8859-{n}": f"iso8859-{n}" for n in (2, 5, 7)}
byte = lambda e: e.object[e.start]
codecs.register_error("browser", lambda e: (chr(byte(e)) if 0x7F < byte(e) < 0xA0 else "\ufffd", e.start + 1))
def decoded(data, charset):
    text = data.decode(CODECS[charset], "browser" if charset.startswith(("windows", "iso")) else "replace")
    return text.removeprefix("\ufeff")
for digest, source in sources.items():
    base = root / "sources" / digest.removeprefix("sha256:")
    texts[digest] = read(base.with_suffix(".txt"))
    if sha256(read(base)) != digest or sha256(texts[digest]) != source["text_digest"]:
        bad.append(str(base.relative_to(root)))
    if source.get("text_from") == "bytes" and texts[digest] != read(base):
        bad.append(str(base.relative_to(root)) + ".txt")
    if source.get("text_from") == "decoded" and source.get("charset") in CODECS:
        text = decoded(read(base), source["charset"])
        lost = re.search("[\ufffd\ue000-\uf8ff]", text) and source["charset"] in ("shift_jis", "euc-kr", "gb18030")  # tables differ
        if not lost and text.encode() != texts[digest]:
            bad.append(str(base.relative_to(root)) + ".txt")

# 4. The reports: published digests, quotes byte for byte, their letters, the digest of the evidence.
letters = lambda n: (letters(n // 26 - 1) if n >= 26 else "") + chr(97 + n % 26)
quotes = 0
for version in (r["data"]["report"] for r in records if "report" in r["data"]):
    folder = root / "reports" / str(version["version_index"])
    data = read(folder / "report.json")
    if sha256(read(folder / "report.md")) != version["report_md_digest"]:
        bad.append(str(folder.relative_to(root)) + "/report.md")
    if sha256(data) != version["digest"]:
        bad.append(str(folder.relative_to(root)) + "/report.json")
        continue
    spans = set()
    report = json.loads(data)  # report.v1 has sections of claims
    claims = report["statements"].values() if "statements" in report else (c for s in report["sections"] for c in s["claims"])
    for claim in claims:
        for quote in claim.get("quotes", []):
            span = (quote["source_digest"], quote["start"], quote["end"])
            quotes += 1
            spans.add(span)
            if texts.get(span[0], b"")[span[1] : span[2]] != quote["text"].encode():
                bad.append(f"a quote of “{claim['text']}”")
    for source in report["sources"]:  # letters in the order of the text, so that a mark such as 1c leads to one quote
        own = sorted((start, end) for digest, start, end in spans if digest == source["source_digest"])
        lettered = [{"letter": letters(at), "start": start, "end": end} for at, (start, end) in enumerate(own)]
        if source.get("quotes", lettered) != lettered:
            bad.append(f"the letters of source {source['number']}")
    order = sorted(spans, key=lambda span: f"{span[0]} {span[1]:012d} {span[2]}")
    evidence = [{"source_digest": digest, "start": start, "end": end} for digest, start, end in order]
    if sha256(canonical(evidence)) != version["evidence_digest"]:
        bad.append("evidence_digest")

# 5. Nothing was cut off: the manifest and the note know how far the journal went, where they are there.
ends = []
text = read(root / "manifest.json")
sealed = re.search(rb',"digest":"(sha256:[0-9a-f]{64})"(?=,"(?:ended_at|epoch)":)', text)
if sealed and sha256((text[: sealed.start()] + text[sealed.end() :]).rstrip(b"\n")) == sealed[1].decode():
    manifest = json.loads(text)
    ends.append((manifest["revision"], manifest["journal"]["digest"]))
elif (root / "manifest.json").exists():
    bad.append("manifest.json")
note = re.fullmatch(rb"(([0-9]{16}) (sha256:[0-9a-f]{64})) ([0-9a-f]{8})\n", read(root / ".head"))
if note and sha256(note[1])[7:15] == note[4].decode():  # one that is torn is no note
    ends.append((int(note[2]), note[3].decode()))
for seq, digest in ends:
    if seq > len(records) or records[seq - 1]["digest"] != digest:
        bad.append(f"record {seq} is not what it was")

print(f"{len(records)} records, {len(files)} files, {len(sources)} sources, {quotes} quotes")
sys.exit(f"does not verify: {', '.join(bad)}" if bad else 0)
