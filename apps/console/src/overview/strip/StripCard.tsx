import { StateShape } from '../../ui/StateShape.tsx'
import { looks, type RowWords } from './row-words.ts'

const cardWidth = 248
/** How far it may lie over the names of groups, where the picture is narrower than itself. */
const mostOverNames = 84

/** What is under the pointer, beside it and within the picture. */
export function StripCard({ words, x, y, width, height }: { words: RowWords; x: number; y: number; width: number; height: number }) {
  const { label, ...look } = looks[words.state]
  const below = y < height / 2
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute z-1 grid gap-0.5 rounded-lg border border-line bg-raised p-3 text-xs shadow-float"
      style={{
        width: cardWidth,
        left: Math.max(-mostOverNames, Math.min(width - cardWidth, x + 12)),
        ...(below ? { top: y + 12 } : { bottom: height - y + 12 }),
      }}
    >
      <b className="truncate text-sm font-semibold">{words.title}</b>
      {words.number && <span className="truncate font-mono text-fg-3">{words.number}</span>}
      <span className="mt-1 flex items-center gap-1.5 font-medium">
        <StateShape {...look} />
        {label}
      </span>
      <span className="text-fg-2">{words.when}</span>
      <span className="text-fg-2 text-pretty">{words.reason}</span>
      <span className="text-fg-3">{words.press}</span>
    </div>
  )
}
