import { Stack, Text } from "@mantine/core";
import { useDeferredValue, useMemo } from "react";
import { count } from "../ui/format.ts";
import type { ExtractDraft } from "./definition-draft.ts";
import classes from "./definitions.module.css";
import { findMatches, type Match, previewedMax } from "./extract-matches.ts";

interface MatchesProps {
  readonly extract: ExtractDraft;
  readonly text: string;
}

export default function ExtractPreviewMatches(props: MatchesProps) {
  const { extract, text } = useDeferredValue(props);
  const found = useMemo(() => findMatches(extract, text), [extract, text]);
  if (!found.ok)
    return (
      <Text size="xs" c="var(--ems-bad)" role="status">
        {found.message}
      </Text>
    );
  const values = found.matches.flatMap(({ value }) => value ?? []);
  return (
    <Stack gap={6}>
      <Text size="xs" c="dimmed" role="status">
        {found.matches.length === 0
          ? "The pattern has no match."
          : `${found.matches.length === 1 ? "1 match" : `${count(found.matches.length)} matches`}. Compared:`}
        {text.length > previewedMax && ` Only the first ${count(previewedMax)} characters are searched here.`}
      </Text>
      {values.length > 0 && (
        <ol className={classes.values}>
          {values.map((value, index) => (
            <li key={index}>
              <code>{value === "" ? "(empty)" : value}</code>
            </li>
          ))}
        </ol>
      )}
      {found.matches.length > 0 && <Marked text={text.slice(0, previewedMax)} matches={found.matches} />}
    </Stack>
  );
}

function Marked({ text, matches }: { readonly text: string; readonly matches: readonly Match[] }) {
  let at = 0;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section className={classes.sample} tabIndex={0} aria-label="Sample answer with its matches">
      {matches.map(({ start, end }) => {
        const before = text.slice(at, start);
        at = end;
        return (
          <span key={`${start} ${end}`}>
            {before}
            <mark className={classes.match}>{text.slice(start, end)}</mark>
          </span>
        );
      })}
      {text.slice(at)}
    </section>
  );
}
