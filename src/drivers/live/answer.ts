// The answer by a model, from the sections that are written: it stands above them, and the page is whole.
import type { Tasks, TaskTools } from "../../ports/driver.ts";
import { idsIn, type Block, type Draft } from "../../run/report.ts";
import { joinedSections, numbered } from "./joined-sections.ts";
import { pageOfDraft } from "./page-of-draft.ts";
import { fittingPageText } from "./page-text.ts";
import { draftOf, judgedDraft } from "./page-to-draft.ts";
import { ANSWERER, answerAdvice, draftDemands, system } from "./prompts.ts";
import { fittingTask, judgeOf, materialOf, usedIn, withCitations } from "./writer-material.ts";
import { writePage } from "./writer-task.ts";
import { labelsOf, linkStatements, readPage, type Titles, type WrittenPage } from "./written-page.ts";

/** Of what the results of tools may hold. */
const RESULTS_OF_PAGE = 1.5;

export async function answer(input: Tasks["answer"]["input"], tools: TaskTools): Promise<Draft> {
  const { question, assignment, limits, outline, sections } = input;
  const material = await materialOf(input, tools);
  const { named, titles, idOf } = material;
  const ids = [...named.citations.keys()];
  const headings = outline.sections.map(({ heading }) => heading);
  const joined = joinedSections(sections, headings, question);
  const body = pageOfDraft(joined, idOf);
  const judge = judgeOf(question, material, tools);
  judge.rememberDraft(body, joined);
  // Quotes are shown where the sections have left too many of them out.
  const least = limits.min_citation_use;
  const used = usedIn(joined, material);
  const unused = used.size / ids.length >= least ? [] : ids.filter((id) => !used.has(id));
  const page = fittingPageText(joined, idOf, tools.resultLength * RESULTS_OF_PAGE);
  const written = await writePage(
    {
      name: "answer",
      handsIn: "the answer",
      system: system(ANSWERER, draftDemands(limits), answerAdvice(assignment)),
      user: JSON.stringify(fittingTask(input, withCitations(material, unused), tools, { page })),
      named,
      titles,
      judge,
      read: (source, before) => answered(source, titles, body, before, outline.title),
      mayChange: (id, now) => !body.statements.has(id) && !isLabelOf(id, now, body),
      use: { ids, least, left: (one) => usedIn(draftOf(one, judge, input, material), material) },
    },
    tools,
  );
  return numbered(await judgedDraft(written, judge, input, material, joined.made.notes));
}

/** The page with what was handed in above its sections. A section that is handed in again is taken off: it stands there. */
function answered(
  source: string,
  titles: Titles,
  body: WrittenPage,
  before: WrittenPage | null,
  outlined: string | undefined,
): WrittenPage {
  const firstId = Math.max(0, ...[...body.statements.keys()].map((id) => Number(id.slice(1)))) + 1;
  const read = readPage(source, titles, { firstId });
  const known = new Set(body.blocks.flatMap((block) => (block.kind === "heading" ? [block.text] : [])));
  const at = read.blocks.findIndex((block) => block.kind === "heading" && known.has(block.text));
  const end = at === -1 ? read.blocks.length : at;
  const taken = [...read.taken, ...(at === -1 ? [] : [{ what: "sections that were written before", text: "" }])];
  const above = asAnswer(read.blocks.slice(0, end));
  const shown = new Set(above.flatMap(idsIn));
  const own = new Map([...read.statements].filter(([id]) => shown.has(id)));
  const statements = new Map([...body.statements, ...own]);
  linkStatements(own.values(), statements, before?.statements ?? body.statements);
  const blocks = [...above, ...body.blocks];
  const title = read.title ?? outlined;
  return { ...(title === undefined ? {} : { title }), blocks, statements, labels: labelsOf(blocks, title), taken };
}

/** Only its first heading is one of the page. */
function asAnswer(blocks: readonly Block[]): Block[] {
  return blocks.map((block, index) =>
    block.kind === "heading" && index > 0 ? { ...block, level: Math.max(3, block.level) } : block,
  );
}

function isLabelOf(id: string, { labels }: WrittenPage, body: WrittenPage): boolean {
  const label = labels.find(({ label_id }) => label_id === id);
  return label !== undefined && label.below.length > 0 && label.below.every((one) => body.statements.has(one));
}
