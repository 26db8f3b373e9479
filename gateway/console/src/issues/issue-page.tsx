import { Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { getRouteApi } from "@tanstack/react-router";
import { ListPlus, Pencil } from "lucide-react";
import type { Loaded } from "../api/conditional.ts";
import { messageOfError } from "../api/errors.ts";
import { ConflictDialog } from "../edits/conflict-dialog.tsx";
import { fieldFor } from "../edits/fields.ts";
import { useChoice } from "../edits/use-edit.ts";
import { ActionButton } from "../ui/action.tsx";
import { Status } from "../ui/badges.tsx";
import { Detail } from "../ui/detail.tsx";
import { Facts } from "../ui/facts.tsx";
import { count, missing, words } from "../ui/format.ts";
import { AnchorLink } from "../ui/link.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Time } from "../ui/time.tsx";
import { AcceptTaskForm } from "./accept-task-form.tsx";
import { IssueForm } from "./issue-form.tsx";
import { getIssue, type Issue, refreshedByIssues, updateIssue } from "./issue-requests.ts";

const route = getRouteApi("/signed-in/issues/$issueId");
const parent = { to: "/issues", label: "Issues" } as const;
const field = fieldFor<Pick<Issue, "status">>();
const texts = [
  ["Description", "description"],
  ["Impact", "impact"],
  ["Summary", "summary"],
  ["Comment", "comment"],
] as const;

export default function IssuePage() {
  const { issueId } = route.useParams();
  return (
    <Detail request={getIssue(issueId)} title="Issue" parent={parent}>
      {({ data }, loaded) => <IssueDetail key={data.id} loaded={loaded} />}
    </Detail>
  );
}

function IssueDetail({ loaded }: { readonly loaded: Loaded<{ readonly data: Issue }> }) {
  const issue = loaded.body.data;
  const [isEditing, edit] = useDisclosure();
  const [isAccepting, accept] = useDisclosure();
  const change = useChoice({
    loaded,
    toDraft: ({ data: { status } }) => ({ status }),
    fields: [field("status", "Status", words)],
    makeRequest: ({ status }, { data: { id } }) => updateIssue({ id, status }),
    refreshes: refreshedByIssues,
  });
  const isOpen = issue.status === "OPEN";
  const set = (status: Issue["status"]) => change.choose({ status });
  return (
    <Page
      title={issue.title}
      parent={parent}
      mark={<Status value={issue.status} />}
      requests={[getIssue(issue.id)]}
      actions={
        <>
          {isOpen && issue.type === "SUGGESTED_TASK" && (
            <ActionButton
              operation="PUT /v0/issues/{id}/suggested-task"
              leftSection={<ListPlus size={14} />}
              onClick={accept.open}
            >
              Accept task
            </ActionButton>
          )}
          {isOpen ? (
            <>
              <ActionButton
                operation="PUT /v0/issues/{id}"
                variant="default"
                loading={change.isPending}
                onClick={() => set("RESOLVED")}
              >
                Resolve
              </ActionButton>
              <ActionButton
                operation="PUT /v0/issues/{id}"
                variant="default"
                loading={change.isPending}
                onClick={() => set("REJECTED")}
              >
                Reject
              </ActionButton>
            </>
          ) : (
            <ActionButton
              operation="PUT /v0/issues/{id}"
              variant="default"
              loading={change.isPending}
              onClick={() => set("OPEN")}
            >
              Reopen
            </ActionButton>
          )}
          <ActionButton
            operation="PUT /v0/issues/{id}"
            variant="default"
            leftSection={<Pencil size={14} />}
            onClick={edit.open}
          >
            Edit
          </ActionButton>
        </>
      }
    >
      <Stack gap="xl">
        {change.error !== null && (
          <Text size="sm" c="var(--ems-bad)" role="alert">
            {messageOfError(change.error)}
          </Text>
        )}
        <Facts
          rows={[
            ["Priority", words(issue.priority)],
            ["Type", words(issue.type)],
            ["Source", words(issue.source)],
            ["Assigned to", issue.assignedUser?.name ?? missing],
            ["Occurrences", count(issue.occurrences)],
            ["Last seen", <Time key="last" value={issue.lastOccurredAt} />],
            ["Opened", <Time key="opened" value={issue.createdAt} />],
          ]}
        />
        <About issue={issue} />
        {texts.map(
          ([title, field]) =>
            issue[field] !== null && (
              <Section key={field} title={title}>
                <Markdown text={issue[field]} />
              </Section>
            ),
        )}
        {issue.issues.length > 0 && (
          <Section title="Sub-issues">
            <Stack gap={4}>
              {issue.issues.map(({ id, title, status }) => (
                <Group key={id} gap="sm">
                  <Status value={status} />
                  <AnchorLink to="/issues/$issueId" params={{ issueId: id }} size="sm">
                    {title}
                  </AnchorLink>
                </Group>
              ))}
            </Stack>
          </Section>
        )}
      </Stack>
      <ConflictDialog conflict={change.conflict} closeLabel="Cancel" />
      {isEditing && <IssueForm issue={loaded} onClose={edit.close} />}
      {isAccepting && <AcceptTaskForm issue={loaded} onClose={accept.close} />}
    </Page>
  );
}

/** Shows links to the resources that the issue refers to. */
function About({ issue }: { readonly issue: Issue }) {
  const { traceId, testId, taskId, topicId, evalDefinitionId, experimentId, resolvedByTestId, parentId } = issue;
  const links = [
    parentId !== null && (
      <AnchorLink key="issue" to="/issues/$issueId" params={{ issueId: parentId }} size="sm">
        Parent issue
      </AnchorLink>
    ),
    traceId !== null && (
      <AnchorLink key="trace" to="/traces/$traceId" params={{ traceId }} size="sm">
        Trace
      </AnchorLink>
    ),
    testId !== null && (
      <AnchorLink key="test" to="/tests/$testId" params={{ testId }} size="sm">
        Test
      </AnchorLink>
    ),
    taskId !== null && (
      <AnchorLink key="task" to="/tasks/$taskId" params={{ taskId }} size="sm">
        Task
      </AnchorLink>
    ),
    topicId !== null && (
      <AnchorLink key="topic" to="/topics/$topicId" params={{ topicId }} size="sm">
        Topic
      </AnchorLink>
    ),
    evalDefinitionId !== null && (
      <AnchorLink
        key="definition"
        to="/definitions/$definitionId"
        params={{ definitionId: evalDefinitionId }}
        size="sm"
      >
        Evaluator
      </AnchorLink>
    ),
    experimentId !== null && (
      <AnchorLink key="experiment" to="/experiments/$experimentId" params={{ experimentId }} size="sm">
        Experiment
      </AnchorLink>
    ),
    resolvedByTestId !== null && (
      <AnchorLink key="pass" to="/tests/$testId" params={{ testId: resolvedByTestId }} size="sm">
        Passing test
      </AnchorLink>
    ),
  ].filter((link) => link !== false);
  if (links.length === 0) return null;
  return (
    <Section title="Related">
      <Group gap="lg">{links}</Group>
    </Section>
  );
}
