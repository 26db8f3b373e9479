// Dialog with both versions of a resource that two people edited, and the choice between them.

import { Button, Group, Stack, Text } from "@mantine/core";
import { useMemo } from "react";
import { Dialog } from "../ui/dialog.tsx";
import { compareTexts } from "../ui/diff/word-diff.ts";
import { Time } from "../ui/time.tsx";
import classes from "./conflict-dialog.module.css";
import type { FieldDifference } from "./fields.ts";
import type { ConflictView } from "./use-edit.ts";

interface ConflictDialogProps {
  readonly conflict: ConflictView | undefined;
  /** Label of the button that closes the dialog. */
  readonly closeLabel?: string;
}

export function ConflictDialog({ conflict, closeLabel = "Keep editing" }: ConflictDialogProps) {
  if (conflict === undefined) return null;
  const { isDeleted, isSaving, keepMine, takeTheirs, close } = conflict;
  return (
    <Dialog isOpen isAboveAll size={isDeleted ? "md" : "xl"} onClose={close} title={getTitle(conflict)}>
      <Stack gap="md">
        <Explanation {...conflict} />
        {!isDeleted && <Differences {...conflict} />}
        <Group justify="space-between" gap="xs">
          <Button variant="default" data-autofocus onClick={close}>
            {closeLabel}
          </Button>
          <Group gap="xs">
            {takeTheirs !== undefined && (
              <Button variant="default" disabled={isSaving} onClick={takeTheirs}>
                Take theirs
              </Button>
            )}
            <Button loading={isSaving} onClick={keepMine}>
              Keep mine
            </Button>
          </Group>
        </Group>
      </Stack>
    </Dialog>
  );
}

const getTitle = ({ isDeleted }: ConflictView) =>
  isDeleted ? "Deleted while you were editing" : "Changed while you were editing";

function Explanation({ isDeleted, changedAt }: ConflictView) {
  if (isDeleted)
    return <Text size="sm">Nothing was saved. Your version is still in the form; "Keep mine" saves it again.</Text>;
  return (
    <Text size="sm">
      Another change was saved after you opened this
      {changedAt !== undefined && (
        <>
          , on <Time value={changedAt} />
        </>
      )}
      . Yours is not saved yet. Choose which version to keep.
    </Text>
  );
}

const changes = { you: "Changed by you", others: "Changed by them", both: "Changed by both" } as const;

function Differences({ differences }: ConflictView) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section className={classes.scroll} tabIndex={0} aria-label="Differences">
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Your version</th>
            <th scope="col">Stored version</th>
          </tr>
        </thead>
        {differences.map((difference) => (
          <tbody key={difference.label}>
            <tr>
              <th scope="rowgroup" colSpan={2}>
                {difference.label}
                <span className={classes.changedBy}>{changes[difference.changedBy]}</span>
              </th>
            </tr>
            <Sides {...difference} />
          </tbody>
        ))}
      </table>
    </section>
  );
}

function Sides({ mine, theirs }: FieldDifference) {
  const parts = useMemo(() => compareTexts(theirs, mine)?.parts, [theirs, mine]);
  const side = (text: string, isHidden: (part: { added: boolean; removed: boolean }) => boolean) => {
    if (text === "") return <span className={classes.empty}>Empty</span>;
    const displayed = parts?.filter((part) => !isHidden(part)) ?? [{ value: text, added: true, removed: false }];
    return displayed.map(({ value, added, removed }, at) =>
      added || removed ? <mark key={at}>{value}</mark> : <span key={at}>{value}</span>,
    );
  };
  return (
    <tr className={classes.sides}>
      <td data-side="mine">{side(mine, ({ removed }) => removed)}</td>
      <td data-side="theirs">{side(theirs, ({ added }) => added)}</td>
    </tr>
  );
}
