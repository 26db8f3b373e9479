import { Text } from "@mantine/core";
import { lazy, Suspense } from "react";
import type { ExtractDraft } from "./definition-draft.ts";

const Matches = lazy(() => import("./extract-preview-matches.tsx"));

interface ExtractPreviewProps {
  readonly extract: ExtractDraft;
  readonly text: string;
}

/** What the pattern finds in the text, while it is typed. */
export function ExtractPreview({ extract, text }: ExtractPreviewProps) {
  if (extract.pattern === "" || text === "")
    return (
      <Text size="xs" c="dimmed">
        With a pattern and a sample answer, this shows what is compared.
      </Text>
    );
  return (
    <Suspense fallback={<Text size="xs">…</Text>}>
      <Matches extract={extract} text={text} />
    </Suspense>
  );
}
