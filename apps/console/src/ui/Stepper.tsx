import type { ReactNode } from 'react'
import { StateShape, type Shape, type Tone } from './StateShape.tsx'

export type Step = {
  id: string
  title: string
  about?: ReactNode
  /** `unreached`, `stopped`: it ended before this one began, or before it was done. `unknown`: nobody says whether it was reached. */
  state: 'done' | 'current' | 'todo' | 'failed' | 'unreached' | 'stopped' | 'unknown'
  /** Leads back to it. */
  onOpen?: () => void
}

const looks: Record<Step['state'], { shape: Shape; tone: Tone; words: string }> = {
  done: { shape: 'done', tone: 'ok', words: 'done' },
  current: { shape: 'half', tone: 'info', words: 'now' },
  todo: { shape: 'dashed', tone: 'idle', words: 'to come' },
  failed: { shape: 'octagon', tone: 'bad', words: 'failed' },
  unreached: { shape: 'dashed', tone: 'idle', words: 'not reached' },
  stopped: { shape: 'dashed', tone: 'idle', words: 'stopped' },
  unknown: { shape: 'dashed', tone: 'idle', words: 'not known' },
}

/** Steps in their order, whole up to where one is. In a narrow place they stand under each other. */
export function Stepper({ label, steps }: { label: string; steps: readonly Step[] }) {
  return (
    <div className="stepper-wrap">
      <ol aria-label={label} className="stepper">
        {steps.map((step) => {
          const { shape, tone, words } = looks[step.state]
          const title = (
            <>
              {step.title}
              <span className="sr-only">, {words}</span>
            </>
          )
          return (
            <li key={step.id} data-state={step.state} aria-current={step.state === 'current' ? 'step' : undefined}>
              <StateShape shape={shape} tone={tone} size={16} />
              <div className="min-w-0">
                {step.onOpen ? (
                  <button type="button" className="text-left font-medium hover:underline" onClick={step.onOpen}>
                    {title}
                  </button>
                ) : (
                  <span className="font-medium">{title}</span>
                )}
                {step.about && <p className="text-xs wrap-anywhere text-fg-3">{step.about}</p>}
              </div>
            </li>
          )
        })}
      </ol>
    </div>
  )
}
