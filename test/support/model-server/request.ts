// A judge's request, parsed from either protocol.

export type Protocol = "openai" | "anthropic";

export interface Block {
  readonly name: string;
  readonly text: string;
}

export interface ModelRequest {
  readonly protocol: Protocol;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The exact bytes. */
  readonly body: string;
  readonly model: string;
  readonly system: string;
  readonly prompt: string;
  /** JSON Schema of the structured answer, from either protocol. */
  readonly schema: JsonSchema | undefined;
  /** True if the schema is that of a tool (Anthropic's older models). */
  readonly isTool: boolean;
  readonly temperature: number | undefined;
  readonly seed: number | undefined;
  /** Data blocks between markers. */
  readonly blocks: readonly Block[];
}

export interface JsonSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
}

interface Message {
  readonly role: string;
  readonly content: string | readonly { readonly text?: string }[];
}

/** The parsed fields of either protocol's body. */
interface Body {
  readonly model?: string;
  readonly messages?: readonly Message[];
  readonly system?: Message["content"];
  readonly temperature?: number;
  readonly seed?: number;
  readonly response_format?: { readonly json_schema?: { readonly schema?: JsonSchema } };
  readonly output_config?: { readonly format?: { readonly schema?: JsonSchema } };
  readonly tools?: readonly { readonly name: string; readonly input_schema?: JsonSchema }[];
}

export function readRequest(path: string, headers: ModelRequest["headers"], body: string): ModelRequest {
  // Sent by the product's client: a body of another shape fails the test.
  const json = JSON.parse(body) as Body;
  const protocol = path.endsWith("/messages") ? "anthropic" : "openai";
  const messages = json.messages ?? [];
  const getTexts = (isWanted: (role: string) => boolean) =>
    messages
      .filter(({ role }) => isWanted(role))
      .map(({ content }) => getText(content))
      .join("\n");
  const isSystem = (role: string) => role === "system" || role === "developer";
  const prompt = getTexts((role) => role === "user");
  const toolSchema = json.tools?.[0]?.input_schema;
  return {
    protocol,
    path,
    headers,
    body,
    model: json.model ?? "",
    system: json.system === undefined ? getTexts(isSystem) : getText(json.system),
    prompt,
    schema: json.response_format?.json_schema?.schema ?? json.output_config?.format?.schema ?? toolSchema,
    isTool: toolSchema !== undefined,
    temperature: json.temperature,
    seed: json.seed,
    blocks: getBlocks(prompt),
  };
}

const getText = (content: Message["content"]): string =>
  typeof content === "string" ? content : content.map(({ text = "" }) => text).join("\n");

function getBlocks(prompt: string): Block[] {
  const marker = /^Marker of this request: (\S+)$/m.exec(prompt)?.[1];
  if (marker === undefined) return [];
  const block = new RegExp(`^${marker} BEGIN (.+)\\n([^]*?)\\n${marker} END \\1$`, "gm");
  return [...prompt.matchAll(block)].map(([, name = "", text = ""]) => ({ name, text }));
}
