// The tools of a task with a scripted model behind its conversations, and nothing else: what it is told is seen.
import type { Conversation, TaskTools } from "../../src/ports/driver.ts";
import { withMessage, type Assistant, type Message } from "../../src/run/model/conversation.ts";

/** What the model hands in, from what it is told. */
export type SubmissionClaim = (user: string, system: string) => unknown;

/** `refused`: what it hears of what it handed in. */
export function toldTools(
  handIn: SubmissionClaim,
  more: Partial<TaskTools> = {},
): { tools: TaskTools; told: string[]; refused: string[] } {
  const told: string[] = [];
  const refused: string[] = [];
  const refuse = (): Promise<never> => Promise.reject(new Error("nothing of this is there"));
  const tools: TaskTools = {
    step: "a step",
    search: refuse,
    keep: refuse,
    take: refuse,
    sourceText: refuse,
    resultLength: 24_000,
    say: () => {},
    signal: new AbortController().signal,
    async converse({ tools: given }) {
      let messages: Message[] = [];
      const conversation: Conversation = {
        model: "compatible:scripted",
        asked: 0,
        get messages() {
          return messages;
        },
        async say(role, content) {
          messages = withMessage(messages, { role, content });
        },
        async ask() {
          const [system, user] = ["system", "user"].map((role) => messages.find((one) => one.role === role)?.content);
          told.push(`${system}\n\n${user}`);
          const tool_call_id = `call_${messages.length}`;
          const args = JSON.stringify(handIn(user ?? "", system ?? ""));
          const reply: Assistant = {
            role: "assistant",
            content: "",
            tool_calls: [{ tool_call_id, name: "submit", arguments: args }],
          };
          messages = withMessage(messages, reply);
          return reply;
        },
        async answer() {
          const asked = messages.at(-1);
          for (const { tool_call_id, name, arguments: args } of asked?.role === "assistant" ? asked.tool_calls : []) {
            const tool = given.find(({ description }) => description.name === name);
            const answer = (await tool?.run(args)) ?? { content: "no such tool", is_error: true };
            if (answer.is_error) refused.push(answer.content);
            messages = withMessage(messages, { role: "tool", tool_call_id, name, ...answer });
          }
        },
      };
      return conversation;
    },
    ...more,
  };
  return { tools, told, refused };
}
