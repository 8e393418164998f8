// A request of Anthropic's wire as OpenAI's has it, as far as scripts look at it.

type Block =
  | { type: "text"; text: string }
  | { type: "thinking" }
  | { type: "tool_use"; id: string; name: string; input: unknown }
  | { type: "tool_result"; tool_use_id: string; content: unknown };

interface AnthropicBody {
  system?: { text: string }[];
  messages: { role: "user" | "assistant"; content: Block[] }[];
  tools?: { name: string; description: string }[];
}

export function fromAnthropic(body: unknown): unknown {
  const { system = [], messages, tools = [] } = body as AnthropicBody;
  return {
    messages: [...system.map(({ text }) => ({ role: "system", content: text })), ...messages.flatMap(messagesOf)],
    tools: tools.map(({ name, description }) => ({ function: { name, description } })),
  };
}

function messagesOf({ role, content }: AnthropicBody["messages"][number]): unknown[] {
  const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
  const results = content.flatMap((block) =>
    block.type === "tool_result"
      ? [{ role: "tool", tool_call_id: block.tool_use_id, content: textOf(block.content) }]
      : [],
  );
  if (role === "user") return text === "" ? results : [...results, { role, content: text }];
  const tool_calls = content.flatMap((block) =>
    block.type === "tool_use"
      ? [{ id: block.id, function: { name: block.name, arguments: JSON.stringify(block.input) } }]
      : [],
  );
  return [{ role, content: text, tool_calls }];
}

function textOf(content: unknown): string {
  return typeof content === "string" ? content : (content as { text: string }[]).map(({ text }) => text).join("");
}
