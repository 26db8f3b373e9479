// Erasing an end user: whom, what there is, and then the erasure itself.

import { Group, Skeleton, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Eraser } from "lucide-react";
import { type FormEvent, useEffect } from "react";
import { read } from "../api/query.ts";
import { useDraft } from "../edits/use-draft.ts";
import { useRefusal } from "../session/permissions.ts";
import { ActionButton } from "../ui/action.tsx";
import { AnchorLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { ErrorState } from "../ui/states.tsx";
import { TextField } from "../ui/text-field.tsx";
import { ConfirmErasure } from "./confirm-erasure.tsx";
import { isNothing, uncounted } from "./counts.ts";
import { CountsTable } from "./counts-table.tsx";
import { validateUser } from "./erased-user.ts";
import { countOfUser, createErasure } from "./erasure-requests.ts";
import classes from "./erasures.module.css";

const route = getRouteApi("/signed-in/settings/erasures/new");
const parent = { to: "/settings/erasures", label: "Erasures" } as const;

export default function NewErasurePage() {
  const { user } = route.useSearch();
  const navigate = route.useNavigate();
  const { draft, set, setErrors, inputs } = useDraft(() => ({ user: user ?? "" }));
  // Counting is a dry run of an erasure.
  const mayErase = useRefusal("POST /v0/erasures") === undefined;
  useEffect(() => set({ user: user ?? "" }), [set, user]);
  const count = (event: FormEvent) => {
    event.preventDefault();
    const errors = validateUser(draft);
    setErrors(errors);
    void navigate({ search: errors.user === undefined ? draft : {} });
  };
  return (
    <Page
      title="Erase an end user"
      parent={parent}
      description="Counts what there is first; nothing is erased until you confirm it"
      requests={user === undefined ? [] : [countOfUser(user), createErasure(user)]}
    >
      <Stack gap="lg" className={classes.form}>
        <form onSubmit={count} noValidate>
          <Stack gap="sm">
            <TextField
              label="End user"
              description="Exactly as traces say it; not one of the people who use this console"
              required
              {...inputs.input("user")}
            />
            <Group>
              <ActionButton
                operation="POST /v0/erasures"
                type="submit"
                variant={user === undefined ? "filled" : "default"}
              >
                Count what there is
              </ActionButton>
            </Group>
          </Stack>
        </form>
        {user !== undefined && mayErase && <Found key={user} user={user} />}
      </Stack>
    </Page>
  );
}

function Found({ user }: { readonly user: string }) {
  const { data, error, refetch } = useQuery({ ...read(countOfUser(user)), gcTime: 0, staleTime: 0 });
  const [isConfirming, confirm] = useDisclosure();
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={320} aria-busy aria-label="Counting" role="status" />;
  const isEmpty = isNothing(data.found);
  return (
    <Section
      title={isEmpty ? "There is nothing of this user" : "What there is of this user"}
      description={
        <span className={classes.user}>
          {user} ·{" "}
          <AnchorLink to="/settings/erasures" search={{ user }} inherit>
            erasures of this user
          </AnchorLink>
        </span>
      }
    >
      {isEmpty ? (
        <Text size="sm">
          No trace says this user, in these very letters. What was erased before is no longer there to be counted.
        </Text>
      ) : (
        <>
          <CountsTable label="Found" counts={data.found} without={uncounted} />
          <Text size="sm" c="dimmed">
            Their copies in jobs of judges, deliveries, the event log and the audit log go too. Scores, verdicts and
            sums stay. What the application sends from now on is stored again: stop that first.
          </Text>
          <Group>
            <ActionButton
              operation="POST /v0/erasures"
              color="red.9"
              leftSection={<Eraser size={14} />}
              onClick={confirm.open}
            >
              Erase all of it
            </ActionButton>
          </Group>
        </>
      )}
      {isConfirming && <ConfirmErasure user={user} traces={data.found.traces} onClose={confirm.close} />}
    </Section>
  );
}
