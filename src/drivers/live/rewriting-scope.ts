// What of a page a review has asked to be written again: all else stays as it is.
import type { Directive } from "../../run/research.ts";
import { faultsOf, type Named } from "./page-faults.ts";
import type { PageJudge } from "./page-judge.ts";
import { TITLE_ID, type WrittenPage, type WrittenStatement } from "./written-page.ts";

export class RewritingScope {
  readonly #page: WrittenPage;
  readonly #directives: readonly Directive[];
  readonly #judge: PageJudge;
  readonly #named: Named;
  readonly #ids: ReadonlySet<string>;

  constructor(page: WrittenPage, directives: readonly Directive[], judge: PageJudge, named: Named) {
    this.#page = page;
    this.#directives = directives;
    this.#judge = judge;
    this.#named = named;
    this.#ids = new Set(directives.flatMap((directive) => this.#idsOf(directive)));
  }

  /** As the writer is shown them. A heading's id stands for its whole section. */
  remarks(): { remark: string; about: string; write_again: string[] }[] {
    return this.#directives.map((directive) => ({
      remark: directive.detail,
      about: directive.target,
      write_again: this.#idsOf(directive),
    }));
  }

  /**
   * Whether it may be written again: it is named, it is new, it follows from what is no longer as it was, or it is a label that
   * no longer fits.
   */
  holds(id: string, page: WrittenPage): boolean {
    const isOpen = (one: string): boolean => {
      const statement = page.statements.get(one);
      return statement !== undefined && this.#mayChange(statement, page);
    };
    if (page.statements.has(id)) return isOpen(id);
    const label = page.labels.find(({ label_id }) => label_id === id);
    if (label === undefined) return false;
    if (label.label_id === TITLE_ID ? this.#ids.has(TITLE_ID) : label.below.every(isOpen)) return true;
    return [...this.#judge.objections(page), ...faultsOf(page, this.#named)].some((fault) => fault.id === id);
  }

  #mayChange({ statement_id, from }: WrittenStatement, page: WrittenPage): boolean {
    if (this.#ids.has(statement_id) || !this.#page.statements.has(statement_id)) return true;
    const before = this.#page.statements.get(statement_id);
    const old = before?.from ?? [];
    return (
      from.length !== old.length ||
      old.some((id) => page.statements.get(id)?.text !== this.#page.statements.get(id)?.text)
    );
  }

  /** Without a target that is on the page, the whole page is meant. */
  #idsOf({ target }: Directive): string[] {
    const { statements, labels } = this.#page;
    if (statements.has(target)) return [target];
    const named = labels.filter(({ text, label_id }) => text === target && label_id !== TITLE_ID);
    if (named.length > 0) return named.flatMap(({ label_id, below }) => [label_id, ...below]);
    return [...labels.map(({ label_id }) => label_id), ...statements.keys()];
  }
}
