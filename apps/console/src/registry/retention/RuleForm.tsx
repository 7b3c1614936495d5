import type { RetentionRule } from '@masthead/contract/registry/retention'
import { previewRetention, setRetention } from '@masthead/contract/registry/retention-operations'
import { FlaskConical, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useOperation } from '../../api/query.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { UnsavedQuestion } from '../../kit/LeaveQuestion.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FailureNotice } from '../../ui/FailureNotice.tsx'
import { NumberField } from '../../ui/NumberField.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { toast } from '../../ui/toast.ts'
import { repositoryHref } from '../registry-words.ts'
import { CheckedTags } from './CheckedTags.tsx'

const none: RetentionRule = { keep_newest: 10, keep_days: 90, keep_like: [], untagged_days: null }

type Props = { repository: string | null; saved: RetentionRule | null; /** When a clean-up was begun here last. */ cleanedAt: number }

/** A rule, beside what it would delete now. What was tried is told apart from what is typed since, and from what is there since a clean-up. */
export function RuleForm({ repository, saved, cleanedAt }: Props) {
  const [rule, setRule] = useState(saved ?? none)
  const [like, setLike] = useState((saved ?? none).keep_like.join('\n'))
  const trying = useOperation(previewRetention)
  const saving = useOperation(setRetention)
  const body = { repository, rule }
  const change = (part: Partial<RetentionRule>) => setRule({ ...rule, ...part })
  const changed = JSON.stringify(rule) !== JSON.stringify(saved)
  const typed = JSON.stringify(rule) !== JSON.stringify(saved ?? none)
  const tried = trying.variables?.body.rule
  const failure = saving.error ?? trying.error
  const says = rule.keep_newest !== null || rule.keep_days !== null || rule.untagged_days !== null
  const save = (to: RetentionRule | null) =>
    saving.mutate(
      { body: { repository, rule: to } },
      {
        onSuccess: () => {
          if (!to) {
            setRule(none)
            setLike('')
          }
          toast.success(to ? 'Saved the rule: it runs each night' : 'Ended the rule')
        },
      }
    )
  return (
    <div className="grid items-start gap-5 @lg:grid-cols-[340px_minmax(0,1fr)]">
      <UnsavedQuestion dirty={typed} what="The rule was changed and not saved." />
      <Panel title="Rule" note={scopeWords(repository)}>
        <div className="grid gap-4">
          <NumberField
            label="Keep the newest"
            hint="Tags of each repository, by their push"
            unit="tags"
            decimals={0}
            min={1}
            max={10_000}
            value={rule.keep_newest}
            onChange={(keep_newest) => change({ keep_newest })}
          />
          <NumberField
            label="Keep what was pushed or pulled within"
            unit="days"
            decimals={0}
            min={1}
            max={3650}
            value={rule.keep_days}
            onChange={(keep_days) => change({ keep_days })}
          />
          <TextArea
            label="Keep tags like"
            hint="One a line; * is any characters"
            mono
            rows={2}
            spellCheck={false}
            placeholder="*-lts"
            value={like}
            onChange={({ target }) => {
              setLike(target.value)
              const keep_like = target.value.split(/[\n,]/).map((line) => line.trim())
              change({ keep_like: keep_like.filter((line) => line !== '') })
            }}
          />
          <NumberField
            label="Delete images without a tag after"
            hint="Empty: they are kept"
            unit="days"
            decimals={0}
            min={1}
            max={3650}
            value={rule.untagged_days}
            onChange={(untagged_days) => change({ untagged_days })}
          />
          <p className="text-xs text-fg-3">
            A tag is kept if any of these keeps it. What is protected, immutable, deployed on a device or needed by a fleet is kept under
            every rule.
          </p>
          {failure && <FailureNotice of={failure} />}
          <div className="flex flex-wrap gap-2">
            <ActionButton
              operation={previewRetention}
              icon={FlaskConical}
              disabled={!says && 'Enter how many tags are kept, or for how long'}
              loading={trying.isPending}
              onClick={() => trying.mutate({ body })}
            >
              Dry run
            </ActionButton>
            <ActionButton
              operation={setRetention}
              color="primary-solid"
              disabled={!says ? 'Enter how many tags are kept, or for how long' : !changed && 'It is saved as it stands'}
              loading={saving.isPending}
              onClick={() => save(rule)}
            >
              Save rule
            </ActionButton>
            {saved && (
              <ActionButton operation={setRetention} color="ghost" icon={Trash2} disabled={saving.isPending} onClick={() => save(null)}>
                End rule
              </ActionButton>
            )}
          </div>
          <p className="text-xs text-fg-3">
            {saved
              ? changed
                ? 'What you changed is not saved.'
                : 'It runs each night, at about 02:40 UTC.'
              : 'No rule is saved: nothing is deleted.'}
          </p>
        </div>
      </Panel>
      <Panel title="Dry run" note="it deletes nothing" flush>
        {trying.data && tried ? (
          <CheckedTags
            outcome={trying.data}
            words={
              JSON.stringify(tried) !== JSON.stringify(rule)
                ? 'The rule was changed since: try it again.'
                : trying.submittedAt < cleanedAt
                  ? 'Tags were cleaned up since: try it again.'
                  : null
            }
          />
        ) : (
          <EmptyState icon={FlaskConical} title="Not tried yet">
            A dry run says of each tag whether it would be deleted, and why each of the others is kept.
          </EmptyState>
        )}
      </Panel>
    </div>
  )
}

const scopeWords = (repository: string | null): ReactNode =>
  repository === null ? (
    'of all repositories that have none of their own'
  ) : (
    <>
      of{' '}
      <Link className="link" to={repositoryHref(repository)}>
        {repository}
      </Link>
    </>
  )
