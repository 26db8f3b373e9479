import { Text } from "@mantine/core";
import { useMemo } from "react";
import { CodeBlock } from "../ui/code.tsx";
import { DiffSide } from "../ui/diff/diff-side.tsx";
import { compareTexts } from "../ui/diff/word-diff.ts";
import type { DocumentVersion } from "./document-requests.ts";
import classes from "./documents.module.css";

interface VersionDiffProps {
  readonly before: DocumentVersion;
  readonly after: DocumentVersion;
}

const formatVersion = ({ versionNumber }: DocumentVersion) => `Version ${versionNumber}`;

/** Shows both texts side by side: removed words on the left, added words on the right. */
export function VersionDiff({ before, after }: VersionDiffProps) {
  const difference = useMemo(() => compareTexts(before.content, after.content), [before.content, after.content]);
  if (difference === undefined) {
    return (
      <>
        <Text size="sm" c="dimmed">
          These texts are too long and too different to compare word by word.
        </Text>
        <div className={classes.sides}>
          <CodeBlock text={before.content} label={formatVersion(before)} maxHeight={560} />
          <CodeBlock text={after.content} label={formatVersion(after)} maxHeight={560} />
        </div>
      </>
    );
  }
  const { parts, isByLine } = difference;
  const isEqual = parts.every(({ added, removed }) => !added && !removed);
  return (
    <>
      {isEqual && <Text size="sm">The texts are identical.</Text>}
      {isByLine && (
        <Text size="sm" c="dimmed">
          Long texts are compared line by line.
        </Text>
      )}
      <div className={classes.sides}>
        {[before, after].map((version) => (
          <div key={version.id}>
            <Text size="xs" c="dimmed" mb={4}>
              {formatVersion(version)}: {version.title}
            </Text>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
            <section className={classes.text} tabIndex={0} aria-label={`Text of version ${version.versionNumber}`}>
              <DiffSide parts={parts} side={version === before ? "before" : "after"} />
            </section>
          </div>
        ))}
      </div>
    </>
  );
}
