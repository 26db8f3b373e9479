import { Text } from "@mantine/core";
import { lazy, Suspense } from "react";
import type { ExtractDraft } from "./definition-draft.ts";

const Matches = lazy(() => import("./extract-preview-matches.tsx"));

interface ExtractPreviewProps {
  readonly extract: ExtractDraft;
  readonly text: string;
}

/** Previews the matches of a pattern while it is typed. */
export function ExtractPreview({ extract, text }: ExtractPreviewProps) {
  if (extract.pattern === "" || text === "")
    return (
      <Text size="xs" c="dimmed">
        Enter a pattern and a sample answer to preview the matches.
      </Text>
    );
  return (
    <Suspense fallback={<Text size="xs">…</Text>}>
      <Matches extract={extract} text={text} />
    </Suspense>
  );
}
