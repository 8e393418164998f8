// A verifier in this process: it is shown statements and hands verdicts in, without a server.
import type { Conversation, ConversationOptions, TaskTools } from "../../../src/ports/driver.ts";
import type { Message } from "../../../src/run/model/conversation.ts";

/** `says` gets what the verifier is shown and gives its verdicts; what it throws ends the call. */
export function verifierTools(says: (shown: unknown) => unknown[]): TaskTools {
  const converse = async ({ tools }: ConversationOptions): Promise<Conversation> => {
    const messages: Message[] = [];
    let last = "";
    return {
      model: "test:verifier",
      messages,
      asked: 1,
      async say(role, content) {
        messages.push({ message_id: messages.length, role, content });
      },
      async ask() {
        const user = messages.find(({ role }) => role === "user")?.content ?? "";
        last = JSON.stringify({ verdicts: says(JSON.parse(user)) });
        const tool_calls = [{ tool_call_id: "t", name: "submit", arguments: last }];
        const reply = { message_id: messages.length, role: "assistant" as const, content: "", tool_calls };
        messages.push(reply);
        return reply;
      },
      async answer() {
        const answered = await tools.find(({ description }) => description.name === "submit")?.run(last);
        if (answered !== undefined)
          messages.push({ message_id: messages.length, role: "tool", tool_call_id: "t", name: "submit", ...answered });
      },
    };
  };
  const signal = new AbortController().signal;
  return { converse, signal, resultLength: 100_000, say: () => undefined } as unknown as TaskTools;
}
