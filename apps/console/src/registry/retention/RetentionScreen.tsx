import { formatBytes } from '@masthead/contract/usage/bytes'
import { useQuery } from '@tanstack/react-query'
import { cleanUpNow, listRetention } from '@masthead/contract/registry/retention-operations'
import type { Retention } from '@masthead/contract/registry/retention'
import { getRepository } from '@masthead/contract/registry/operations'
import { Play } from 'lucide-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { q } from '../../api/query.ts'
import { Breadcrumbs } from '../../kit/Breadcrumbs.tsx'
import { ConfirmButton } from '../../kit/ConfirmCall.tsx'
import { NotThere } from '../../kit/NotThere.tsx'
import { Banner } from '../../ui/Banner.tsx'
import { ErrorState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { tagsWords } from '../registry-words.ts'
import { CleanUps } from './CleanUps.tsx'
import { RuleForm } from './RuleForm.tsx'
import { ruleWords } from './rule-words.ts'

const way = [{ label: 'Registry', to: '/registry' }]

/** Which tags are kept, tried on those that are there, and what clean-ups did. */
export default function RetentionScreen() {
  const repository = useSearchParams()[0].get('repository')
  const { data, error, refetch } = useQuery(q(listRetention, {}))
  const rules = data?.items
  const own = rules?.find((each) => each.repository === repository)
  const { error: missing } = useQuery({
    ...q(getRepository, { params: { repository_id: repository ?? '' } }),
    enabled: repository !== null && rules !== undefined && !own,
  })
  const [cleanedAt, setCleanedAt] = useState(0)
  if (repository !== null && missing?.status === 404)
    return (
      <>
        <Banner title="Retention" crumbs={<Breadcrumbs way={way} here="Retention" named />} />
        <NotThere title="No such repository" to="/registry/retention" way="The rule of all repositories">
          This account has no repository <span className="mono wrap-anywhere">{repository}</span>.
        </NotThere>
      </>
    )
  return (
    <>
      <Banner
        title="Retention"
        subtitle="Which tags are deleted, tried on your real tags first."
        crumbs={<Breadcrumbs way={way} here="Retention" named />}
        end={
          <ConfirmButton
            operation={cleanUpNow}
            input={{}}
            label="Clean up now"
            icon={Play}
            disabled={!rules || (rules.length === 0 && 'There is no rule yet')}
            title="Clean up the registry now?"
            confirmColor="danger"
            onDone={({ tags, freed_bytes }) => {
              setCleanedAt(Date.now())
              toast.success(`Deleted ${tagsWords(tags)}, which freed ${formatBytes(freed_bytes)}`)
            }}
          >
            All rules that are saved run now, as they do each night. What is deleted cannot be restored; a dry run shows what that is.
          </ConfirmButton>
        }
      />
      {error && !rules ? (
        <ErrorState title="The rules could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : (
        <div className="grid gap-5">
          {rules ? (
            <RuleForm key={repository} repository={repository} saved={own?.rule ?? null} cleanedAt={cleanedAt} />
          ) : (
            <Skeleton className="h-80" />
          )}
          <Rules rules={rules} here={repository} />
          <CleanUps />
        </div>
      )}
    </>
  )
}

/** The rules that are saved: that of all repositories, and those of some. */
function Rules({ rules, here }: { rules: readonly Retention[] | undefined; here: string | null }) {
  const others = rules?.filter(({ repository }) => repository !== here) ?? []
  if (others.length === 0 && here === null) return null
  return (
    <Panel title="Other rules" note="a repository’s own stands in place of that of all" flush>
      <ul className="divide-y divide-line">
        {here !== null && others.every(({ repository }) => repository !== null) && (
          <li className="px-4 py-2.5">
            <Link className="font-medium hover:underline" to="/registry/retention">
              All repositories
            </Link>
            <span className="block text-xs text-fg-3">No rule: of repositories without a rule of their own nothing is deleted.</span>
          </li>
        )}
        {others.map(({ repository, rule }) => (
          <li key={repository ?? ''} className="grid px-4 py-2.5">
            <Link
              className="font-medium wrap-anywhere hover:underline"
              to={repository === null ? '/registry/retention' : `/registry/retention?repository=${encodeURIComponent(repository)}`}
            >
              {repository ?? 'All repositories'}
            </Link>
            <span className="text-xs text-fg-3">{ruleWords(rule)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
