import { useQuery } from '@tanstack/react-query'
import { getVerdict } from '@masthead/contract/overview/glance-operations'
import { Fragment } from 'react'
import { Link } from 'react-router'
import { q } from '../api/query.ts'
import { cx } from '../ui/cx.ts'
import { Cell } from '../ui/Panel.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { StateShape } from '../ui/StateShape.tsx'
import { awaitedWords, headline, isFewer, reasonsOf, unseenWords, usualWords, type Verdict } from './verdict-words.ts'

/** Whether all is well, in one sentence, against what is usual at this hour. */
export function VerdictCell() {
  const { data, error, refetch } = useQuery(q(getVerdict, {}))
  const fewer = data ? isFewer(data) : null
  return (
    <Cell className={cx('col-span-2 @lg:col-span-12', fewer && 'border-l-3 border-bad-mark')}>
      <div className="grid min-h-28 gap-x-8 gap-y-3 @lg:min-h-14 @lg:grid-cols-[minmax(0,1fr)_200px]">
        <div className="grid grid-cols-[16px_minmax(0,1fr)] gap-x-2.5 gap-y-1">
          {error && !data ? (
            <>
              <StateShape shape="dashed" tone="idle" size={16} className="mt-1" />
              <p className="text-fg-2">
                How many SIMs work could not be loaded.{' '}
                <button type="button" className="link" onClick={() => void refetch()}>
                  Try again
                </button>
              </p>
            </>
          ) : data ? (
            <>
              <StateShape {...shapeOf(data)} size={16} className="mt-1" />
              <h2 className="tight text-md font-semibold text-balance">{headline(data)}</h2>
              <p className="col-start-2 text-fg-2 text-pretty">
                {usualWords(data)} <Reasons verdict={data} /> {unseenWords(data)} {awaitedWords(data)}
              </p>
            </>
          ) : (
            <span className="col-start-2 grid content-start gap-3 pt-1.5" aria-hidden>
              <Skeleton className="h-4 w-3/5" />
              <Skeleton className="w-4/5" />
            </span>
          )}
        </div>
        <div className="hidden min-h-9 @lg:block">
          {data?.usual && data.works !== null && <Range {...data} usual={data.usual} works={data.works} />}
        </div>
      </div>
    </Cell>
  )
}

const shapeOf = (verdict: Verdict) => {
  if (verdict.works === null || verdict.should === (verdict.unseen ?? 0)) return { shape: 'dashed', tone: 'idle' } as const
  return isFewer(verdict) ? ({ shape: 'octagon', tone: 'bad' } as const) : ({ shape: 'done', tone: 'ok' } as const)
}

const verbs = {
  refused: ['is refused', 'are refused'],
  blocked: ['is blocked', 'are blocked'],
  silent: ['is silent', 'are silent'],
} as const

/** Each number leads to the SIMs that it counts. */
function Reasons({ verdict }: { verdict: Verdict }) {
  const reasons = reasonsOf(verdict)
  return reasons.map(({ state, count, to }, at) => (
    <Fragment key={state}>
      {at > 0 && (at === reasons.length - 1 ? ' and ' : ', ')}
      <Link to={to} className="font-medium text-fg underline underline-offset-2">
        {count.toLocaleString('en')} {verbs[state][count === 1 ? 0 : 1]}
      </Link>
      {at === reasons.length - 1 && '.'}
    </Fragment>
  ))
}

/** Where the number stands beside what is usual. The sentence says the same. */
function Range({ should, works, usual, ...rest }: Verdict & { works: number; usual: NonNullable<Verdict['usual']> }) {
  const least = Math.min(works, usual.from)
  const from = Math.max(0, least - Math.max(1, (should - least) * 0.5))
  const share = (value: number) => `${(100 * (value - from)) / Math.max(1, should - from)}%`
  return (
    <div aria-hidden className="grid gap-1.5 pt-2 text-xs text-fg-3">
      <div className="relative h-2.5 rounded-sm bg-active forced-color-adjust-none">
        <span
          className="absolute inset-y-0 min-w-1 rounded-sm bg-ok-line"
          style={{ left: `min(${share(usual.from)}, calc(100% - 4px))`, width: `calc(${share(usual.to)} - ${share(usual.from)})` }}
        />
        <span
          className={cx(
            'absolute -inset-y-1 w-[3px] -translate-x-px',
            isFewer({ should, works, usual, ...rest }) ? 'bg-bad-mark' : 'bg-fg'
          )}
          style={{ left: `min(${share(works)}, calc(100% - 2px))` }}
        />
      </div>
      <div className="flex justify-between tabular-nums">
        <span>
          Now <b className="font-medium text-fg">{works.toLocaleString('en')}</b>
        </span>
        <span>
          usual {usual.from.toLocaleString('en')}
          {usual.to !== usual.from && ` to ${usual.to.toLocaleString('en')}`}
        </span>
      </div>
    </div>
  )
}
