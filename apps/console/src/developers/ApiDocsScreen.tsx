import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { apiRoot, noResponse } from '../api/client.ts'
import { useAddressState } from '../kit/use-address-state.ts'
import { cx } from '../ui/cx.ts'
import { ErrorState } from '../ui/EmptyState.tsx'
import { Mark } from '../ui/Mark.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { callsOf, type ApiDescription, type Call } from './api-description.ts'
import { CallDetail } from './CallDetail.tsx'
import { Method } from './Method.tsx'

const defaults = { call: '' }
const readDescription = async (): Promise<ApiDescription> => {
  const answer = await fetch(`${apiRoot}/openapi.json`)
  if (!answer.ok) throw new Error(noResponse.detail)
  return (await answer.json()) as ApiDescription
}

/** The API's own description, to browse and to try with a key. Anybody may read it. */
export default function ApiDocsScreen() {
  const [{ call: chosen }, change] = useAddressState(defaults)
  const { data, error, refetch } = useQuery({ queryKey: ['openapi'], queryFn: readDescription, staleTime: Infinity })
  const [search, setSearch] = useState('')
  useEffect(() => {
    document.title = 'API · Masthead'
  }, [])
  const calls = data ? callsOf(data) : []
  const wanted = search.trim().toLowerCase()
  const found = calls.filter((call) => `${call.method} ${call.path} ${call.summary} ${call.operationId}`.toLowerCase().includes(wanted))
  const call = calls.find(({ operationId }) => operationId === chosen)
  return (
    <div className="mx-auto grid max-w-[1400px] gap-6 px-4 py-6 side:px-6">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Link to="/" className="inline-flex items-center gap-2 font-semibold">
          <Mark />
          Masthead
        </Link>
        <h1 className="tight text-xl font-semibold">API</h1>
        <a className="ml-auto text-fg-2 underline underline-offset-3" href={`${apiRoot}/openapi.json`} download>
          openapi.json
        </a>
      </header>
      <main className="grid items-start gap-6 nav:grid-cols-[340px_minmax(0,1fr)]">
        {error ? (
          <ErrorState title="The description could not be loaded" failure={{ detail: error.message }} onRetry={() => void refetch()} />
        ) : !data ? (
          <SkeletonLines lines={12} />
        ) : (
          <>
            <nav
              aria-label="Calls"
              className={cx(
                'grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3 nav:sticky nav:top-6 nav:max-h-[calc(100dvh-48px)] nav:overflow-y-auto',
                call && 'max-nav:hidden'
              )}
            >
              <SearchField value={search} onChange={setSearch} label="Search calls" placeholder="Search calls" wait={0} />
              <CallList
                calls={found}
                chosen={chosen}
                onChoose={(operationId) => {
                  change({ call: operationId }, { push: true })
                  scrollTo(0, 0)
                }}
              />
            </nav>
            {call ? (
              <CallDetail key={call.operationId} call={call} onBack={() => change({ call: '' }, { push: true })} />
            ) : (
              <p className="order-first max-w-[72ch] text-fg-2 text-pretty nav:order-none">{data.info.description}</p>
            )}
          </>
        )}
      </main>
    </div>
  )
}

function CallList({ calls, chosen, onChoose }: { calls: Call[]; chosen: string; onChoose: (operationId: string) => void }) {
  const areas = Map.groupBy(calls, (call) => call.tags[0]!)
  if (calls.length === 0) return <p className="text-fg-2">No call matches.</p>
  return [...areas].map(([area, inside]) => (
    <section key={area} aria-labelledby={`area-${area}`}>
      <h2 id={`area-${area}`} className="px-2 pb-1 text-xs text-fg-3">
        {area.replaceAll('_', ' ')}
      </h2>
      <ul>
        {inside.map((call) => (
          <li key={call.operationId}>
            <button
              type="button"
              className="option"
              aria-current={call.operationId === chosen ? 'true' : undefined}
              data-current={call.operationId === chosen ? '' : undefined}
              onClick={() => onChoose(call.operationId)}
            >
              <Method of={call.method} />
              <span className="min-w-0 text-left leading-snug">{call.summary}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  ))
}
