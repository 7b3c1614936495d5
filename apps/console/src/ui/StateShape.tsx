import { cx } from './cx.ts'

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'idle' | 'hold' | 'ink'
export type Shape = 'disc' | 'half' | 'ring' | 'dashed' | 'bars' | 'octagon' | 'triangle' | 'cross' | 'diamond' | 'done' | 'busy' | 'broken'

const tones: Record<Tone, string> = {
  ok: 'text-ok-mark',
  warn: 'text-warn-mark',
  bad: 'text-bad-mark',
  info: 'text-info-mark',
  idle: 'text-idle-mark',
  hold: 'text-hold-mark',
  ink: 'text-fg',
}

const ring = { cx: 6, cy: 6, r: 3.75, fill: 'none', stroke: 'currentColor', strokeWidth: 1.5 }
// Cuts in a filled shape show the background behind it.
const cut = { stroke: 'var(--bg)', strokeLinecap: 'round', strokeLinejoin: 'round', fill: 'none' } as const

const drawings: Record<Shape, React.ReactNode> = {
  disc: <circle cx="6" cy="6" r="4" fill="currentColor" />,
  half: (
    <>
      <circle {...ring} />
      <path d="M6 3.5a2.5 2.5 0 0 1 0 5Z" fill="currentColor" />
    </>
  ),
  ring: <circle {...ring} />,
  dashed: <circle {...ring} strokeDasharray="1.6 1.55" />,
  bars: <path d="M3.8 2.8v6.4M8.2 2.8v6.4" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />,
  octagon: (
    <>
      <path d="M3.9 1h4.2L11 3.9v4.2L8.1 11H3.9L1 8.1V3.9Z" fill="currentColor" />
      <path d="M3.8 6h4.4" {...cut} strokeWidth="1.6" />
    </>
  ),
  triangle: (
    <>
      <path d="M6 1.4 11.2 10.5H.8Z" fill="currentColor" stroke="currentColor" strokeWidth=".9" strokeLinejoin="round" />
      <path d="M6 4.6v2.5M6 8.9v.1" {...cut} strokeWidth="1.3" />
    </>
  ),
  cross: <path d="m2.8 2.8 6.4 6.4M9.2 2.8 2.8 9.2" stroke="currentColor" strokeWidth="1.7" strokeLinecap="round" />,
  diamond: <path d="M6 1.2 10.8 6 6 10.8 1.2 6Z" fill="currentColor" />,
  broken: <path d="M2 3.5h8M2 8.5h8" stroke="currentColor" strokeWidth="1.7" strokeLinecap="round" strokeDasharray="2 2.6" />,
  done: (
    <>
      <circle cx="6" cy="6" r="5" fill="currentColor" />
      <path d="m3.8 6.2 1.5 1.5 2.9-3.2" {...cut} strokeWidth="1.3" />
    </>
  ),
  busy: <circle {...ring} strokeWidth={1.6} strokeDasharray="17 7" strokeLinecap="round" />,
}

/** The shape and colour of a state. Always beside its word: see StatusDot. */
export function StateShape({
  shape,
  tone,
  size = 12,
  className,
}: {
  shape: Shape
  tone: Tone
  size?: 10 | 12 | 16 | 20
  className?: string
}) {
  return (
    <svg viewBox="0 0 12 12" width={size} height={size} aria-hidden className={cx('flex-none', tones[tone], className)}>
      {drawings[shape]}
    </svg>
  )
}
