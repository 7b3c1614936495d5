import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { StateShape, type Shape, type Tone } from './StateShape.tsx'

const looks: Record<Tone | 'plain', string> = {
  ok: 'border-ok-line bg-ok-bg text-ok-fg',
  warn: 'border-warn-line bg-warn-bg text-warn-fg',
  bad: 'border-bad-line bg-bad-bg text-bad-fg',
  info: 'border-info-line bg-info-bg text-info-fg',
  idle: 'border-idle-line bg-idle-bg text-fg-2',
  hold: 'border-hold-line bg-hold-bg text-hold-fg',
  ink: 'border-line-2 bg-bg text-fg',
  plain: 'border-line-2 text-fg-2',
}

/** A word in a frame. With a tone it is a state and takes a shape. */
export function Badge({ tone = 'plain', shape, children }: { tone?: Tone | 'plain'; shape?: Shape; children: ReactNode }) {
  return (
    <span
      className={cx(
        'inline-flex h-5 items-center gap-[5px] rounded-sm border px-1.5 text-xs leading-none font-medium whitespace-nowrap',
        looks[tone]
      )}
    >
      {shape && tone !== 'plain' && <StateShape shape={shape} tone={tone} size={10} />}
      {children}
    </span>
  )
}

/** A number that asks for attention: unread, pending. Nothing at zero. */
export function Count({ of }: { of: number }) {
  if (of === 0) return null
  return (
    <span className="inline-grid h-4 min-w-4 place-items-center rounded-full bg-accent px-1 text-2xs leading-none font-semibold text-on-green">
      {of > 99 ? '99+' : of}
    </span>
  )
}
