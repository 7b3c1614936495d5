import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { StateShape, type Shape } from './StateShape.tsx'

const looks = {
  warn: { box: 'border-warn-line bg-warn-bg', shape: 'triangle' },
  bad: { box: 'border-bad-line bg-bad-bg', shape: 'octagon' },
  info: { box: 'border-info-line bg-info-bg', shape: 'diamond' },
  ok: { box: 'border-ok-line bg-ok-bg', shape: 'done' },
} as const satisfies Record<string, { box: string; shape: Shape }>

/** Words that matter inside a page or a dialog. A failure (`bad`) is read out at once. `action` is a link or a button at the end. */
export function Notice({
  tone,
  children,
  action,
  strip,
}: {
  tone: keyof typeof looks
  children: ReactNode
  action?: ReactNode
  strip?: boolean
}) {
  const { box, shape } = looks[tone]
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={cx(
        'flex flex-wrap items-start gap-x-2.5 gap-y-1',
        box,
        strip ? 'border-b px-4 py-2.5 side:px-6' : 'rounded-lg border px-3 py-2.5'
      )}
    >
      <StateShape shape={shape} tone={tone} className="mt-1" />
      <div className={cx('min-w-0 text-fg text-pretty wrap-anywhere', action ? 'flex-[1_1_12rem]' : 'flex-1')}>{children}</div>
      {action && <div className="ml-auto">{action}</div>}
    </div>
  )
}
