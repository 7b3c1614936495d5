import { useNow } from './use-now.ts'
import type { TerminalStanding } from './use-terminal.ts'

/** How long a round trip takes, how large the screen, and how much of it is kept. */
export function TerminalFoot({ standing: { phase, way, size, people }, lines }: { standing: TerminalStanding; lines: () => number }) {
  useNow()
  const typist = people.find(({ types }) => types)
  return (
    <footer className="terminal-foot" data-wide-only={phase !== 'open' && !typist ? '' : undefined}>
      {phase === 'open' && way !== null && <span title="From here to Masthead and back">{way} ms</span>}
      {size && (
        <span className="max-side:hidden">
          {size.cols} × {size.rows}
        </span>
      )}
      {phase === 'open' && <span className="max-side:hidden">{lines().toLocaleString('en')} of 100,000 lines kept</span>}
      <span className="ml-auto max-side:hidden">
        Copy <kbd className="kbd">Ctrl Shift C</kbd>
      </span>
      <span className="max-side:hidden">
        Find <kbd className="kbd">Ctrl Shift F</kbd>
      </span>
      {typist && <span className="max-side:ml-auto">{typist.email} types</span>}
    </footer>
  )
}
