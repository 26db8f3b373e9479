// Tries a definition on a pasted answer or on a trace, by the judge that would evaluate tests.

import { Group, SegmentedControl, Stack, Text, Textarea } from "@mantine/core";
import { FlaskConical } from "lucide-react";
import { useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import type { Schemas } from "../api/request.ts";
import { EvaluationCard } from "../tests/evaluation-card.tsx";
import { ActionButton } from "../ui/action.tsx";
import { FormError } from "../ui/form-error.tsx";
import { RequestButton } from "../ui/request-button.tsx";
import { LongTextField } from "../ui/text-field.tsx";
import { TextList } from "../ui/text-list.tsx";
import { tryDefinition } from "./definition-requests.ts";
import { aboutType } from "./definition-types.ts";
import { TraceField } from "./trace-field.tsx";

type TryDefinition = Pick<Schemas["TryDefinitionRequest"], "type" | "globalConfig" | "styleGuideId"> & {
  readonly name: string;
};

interface TryPanelProps {
  readonly definition: TryDefinition;
  readonly answer: string;
  readonly onAnswer: (answer: string) => void;
}

const sources = [
  { value: "answer", label: "A pasted answer" },
  { value: "trace", label: "A past trace" },
];

export function TryPanel({ definition: { name, ...definition }, answer, onAnswer }: TryPanelProps) {
  const [source, setSource] = useState("answer");
  const [question, setQuestion] = useState("");
  const [context, setContext] = useState<string[]>([]);
  const [traceId, setTraceId] = useState("");
  const [expected, setExpected] = useState("");
  const [items, setItems] = useState<string[]>([""]);
  const trial = useChange(tryDefinition, { refreshes: [] });
  const issues = issuesByField(trial.error);
  const { type, globalConfig } = definition;
  const isList = type === "OUTPUT_MATCH" && globalConfig?.type === "list";
  const isCompared = type === "OUTPUT_MATCH" || type === "FACT";
  const expectation = isList ? items.filter((item) => item !== "") : expected;
  const request: Schemas["TryDefinitionRequest"] = {
    ...definition,
    ...(source === "trace"
      ? { traceId }
      : {
          ...(question !== "" && { question }),
          answer,
          ...(type === "RECALL" && { context: context.filter(isText) }),
        }),
    ...(isCompared && expectation.length > 0 && { expected: expectation }),
  };
  const data = trial.data?.data;
  return (
    <Stack gap="sm">
      <SegmentedControl fullWidth size="xs" data={sources} value={source} onChange={setSource} aria-label="Try it on" />
      {source === "trace" ? (
        <TraceField value={traceId} error={issues.traceId} onChange={setTraceId} />
      ) : (
        <>
          {type !== "OUTPUT_MATCH" && (
            <LongTextField
              label="Question"
              autosize
              minRows={1}
              maxRows={8}
              value={question}
              error={issues.question}
              onChange={setQuestion}
            />
          )}
          <Textarea
            label="Answer"
            autosize
            minRows={4}
            maxRows={14}
            value={answer}
            error={issues.answer}
            onChange={(event) => onAnswer(event.currentTarget.value)}
          />
          {type === "RECALL" && (
            <TextList
              label="Context"
              description="What the application looked up, the most relevant first"
              itemLabel="Passage"
              values={context}
              error={issues.context}
              onChange={setContext}
            />
          )}
        </>
      )}
      {isCompared &&
        (isList ? (
          <TextList
            label="Expected"
            description="What a link would expect"
            itemLabel="Item"
            values={items}
            error={issues.expected}
            onChange={setItems}
          />
        ) : (
          <LongTextField
            label="Expected"
            description={
              type === "FACT" ? "What a link would expect, in place of the ground truth" : "What a link would expect"
            }
            autosize
            minRows={1}
            maxRows={8}
            value={expected}
            error={issues.expected}
            onChange={setExpected}
          />
        ))}
      {aboutType[type].needsModel && (
        <Text size="xs" c="dimmed">
          Asks the application's model, within its limits and budgets.
        </Text>
      )}
      <FormError error={trial.error} />
      <Group gap="xs">
        <ActionButton
          operation="POST /v0/definitions/try"
          variant="light"
          leftSection={<FlaskConical size={14} />}
          loading={trial.isPending}
          onClick={() => trial.mutate(request)}
        >
          Try it
        </ActionButton>
        <RequestButton requests={[tryDefinition(request)]} />
      </Group>
      <div aria-live="polite">
        {data != null && !trial.isPending && (
          <EvaluationCard
            evaluation={{
              ...data,
              definition: { name: name === "" ? "Trial" : name, type },
              waitingFor: null,
              definitionVersion: null,
              attempts: null,
            }}
          />
        )}
      </div>
    </Stack>
  );
}

const isText = (text: string) => text !== "";
