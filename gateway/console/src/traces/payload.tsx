// Shows the input or output of a step as chat messages, JSON or text.

import { SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { CodeBlock } from "../ui/code.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { Section } from "../ui/section.tsx";
import { formatJson, parseMessages, unwrapText } from "./messages.ts";
import classes from "./traces.module.css";

interface PayloadProps {
  readonly title: string;
  readonly text: string;
  /** Level of the heading. */
  readonly order?: 2 | 3;
}

const labels = { messages: "Messages", json: "JSON", text: "Text" } as const;
type View = keyof typeof labels;

export function Payload({ title, text, order = 2 }: PayloadProps) {
  const [messages, json] = [parseMessages(text), formatJson(text)];
  const plain = unwrapText(text);
  const isWrapped = plain !== text;
  const views: View[] = [...(messages ? (["messages"] as const) : []), ...(json ? (["json"] as const) : []), "text"];
  const [chosen, setChosen] = useState<View>();
  const view = chosen !== undefined && views.includes(chosen) ? chosen : isWrapped ? "text" : (views[0] ?? "text");
  return (
    <Section
      order={order}
      title={title}
      actions={
        views.length > 1 && (
          <SegmentedControl
            size="xs"
            aria-label={`Format of ${title.toLowerCase()}`}
            data={views.map((value) => ({ value, label: labels[value] }))}
            value={view}
            onChange={(value) => setChosen(value)}
          />
        )
      }
    >
      {view === "messages" && (
        <Stack gap="xs">
          {(messages ?? []).map(({ role, text: content }, index) => (
            <div key={`${index} ${role}`} className={classes.message}>
              <Text size="xs" c="dimmed">
                {role}
              </Text>
              <Markdown text={content} />
            </div>
          ))}
        </Stack>
      )}
      {view === "json" && <CodeBlock text={json ?? text} label={`${title} as JSON`} maxHeight={420} />}
      {view === "text" && <CodeBlock text={plain} label={title} maxHeight={420} />}
    </Section>
  );
}
