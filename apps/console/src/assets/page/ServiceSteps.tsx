import type { ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'
import { StateShape, type Shape, type Tone } from '../../ui/StateShape.tsx'
import type { Step } from '../service-path.ts'
import type { AssetAct } from '../sim/asset-acts.ts'

const looks: Record<Step['is'], { shape: Shape; tone: Tone; word: string }> = {
  met: { shape: 'done', tone: 'ok', word: 'fulfilled' },
  broken: { shape: 'octagon', tone: 'bad', word: 'not fulfilled' },
  waiting: { shape: 'ring', tone: 'idle', word: 'waiting' },
  off: { shape: 'dashed', tone: 'idle', word: 'not reached' },
  unknown: { shape: 'dashed', tone: 'idle', word: 'not kept' },
}

const line =
  'absolute top-2 -bottom-2 left-[7px] w-0.5 @md/path:top-[7px] @md/path:-right-[7px] @md/path:bottom-auto @md/path:h-0.5 @md/path:w-auto'
const dashes =
  'bg-[repeating-linear-gradient(var(--line-2)_0_4px,transparent_4px_8px)] @md/path:bg-[repeating-linear-gradient(90deg,var(--line-2)_0_4px,transparent_4px_8px)]'

/** The conditions of service in a row, or under each other where there is little room; the line between them is whole up to the break. */
export function ServiceSteps({ steps, offer }: { steps: readonly Step[]; offer: (act: AssetAct, isFirst: boolean) => ReactNode }) {
  const first = steps.find((step) => step.offer)
  return (
    <div className="@container/path border-t border-line p-4">
      <ol aria-label="What this SIM needs for service" className="grid auto-cols-fr grid-flow-row @md/path:grid-flow-col">
        {steps.map(({ id, title, note, is, offer: act, also }, at) => {
          // What the customer set it to is a wish, not a fault.
          const fault = is === 'broken' && id !== 'state' && id !== 'asset'
          const { shape, tone, word } =
            is === 'broken' && !fault ? { ...looks.broken, shape: 'ring' as const, tone: 'idle' as const } : looks[is]
          const next = steps[at + 1]
          return (
            <li
              key={id}
              className="relative min-h-11 pr-3 pb-2 pl-7 last:min-h-0 last:pb-0 @md/path:min-h-0 @md/path:pt-6 @md/path:pb-0 @md/path:pl-0"
            >
              {next && <span aria-hidden className={cx(line, is === 'met' && next.is !== 'off' ? 'bg-ok-mark' : dashes)} />}
              <span className="absolute top-0.5 left-0 z-1 grid rounded-full bg-bg ring-3 ring-bg @md/path:top-0">
                <StateShape shape={shape} tone={tone} size={16} />
              </span>
              <span
                className={cx(
                  'block font-medium',
                  fault && 'text-bad-fg',
                  (is === 'off' || is === 'waiting' || is === 'unknown') && 'text-fg-2'
                )}
              >
                {title}
                {/* Where the note says it, it is not read twice. */}
                {note !== word && <span className="sr-only">: {word}</span>}
              </span>
              {note && <span className="block text-xs text-fg-3 wrap-anywhere">{note}</span>}
              {act && (
                <span className="mt-2 flex flex-wrap gap-2">
                  {offer(act, id === first?.id)}
                  {also && offer(also, false)}
                </span>
              )}
            </li>
          )
        })}
      </ol>
    </div>
  )
}
