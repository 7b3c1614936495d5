import { useEffect, useRef, useState } from 'react'
import { EndCard, OpeningCard } from './cards.tsx'
import { FindBar } from './FindBar.tsx'
import { KeyRow } from './KeyRow.tsx'
import { PasteQuestion } from './PasteQuestion.tsx'
import { TerminalBar } from './TerminalBar.tsx'
import { TerminalFoot } from './TerminalFoot.tsx'
import { TerminalSide } from './TerminalSide.tsx'
import { useTerminal } from './use-terminal.ts'
import { later } from '../kit/later.tsx'
import './terminal.css'

const FilesSheet = later(() => import('./files/FilesSheet.tsx').then((file) => file.FilesSheet))

const CodeCard = later(() => import('./access-code/CodeCard.tsx').then((file) => file.CodeCard))

const sizes = { least: 9, most: 24 }

type Props = {
  asset: string | null
  session: string | null
  /** The access of support by which it is opened. */
  support?: string | null
  onOpened: (id: string) => void
  onAgain: (asset: string) => void
}

/** A shell: its screen, who is there, and what can be done with it. */
export function LiveTerminal({ asset, session, support = null, onOpened, onAgain }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const [font, setFont] = useState(13)
  const [finding, setFinding] = useState(false)
  const [pasting, setPasting] = useState<string | null>(null)
  const [side, setSide] = useState(false)
  const [code, setCode] = useState<{ typed: string } | null>(null)
  /** Null: nobody asked for files yet. */
  const [files, setFiles] = useState<boolean | null>(null)
  const [carried, setCarried] = useState(0)
  const { standing, connection, view } = useTerminal(
    place,
    { code, asset, support, session, onOpened },
    { onPaste: setPasting, onFind: () => setFinding(true) }
  )
  const { phase } = standing
  useEffect(() => view.current?.setFontSize(font), [font, view, phase])
  const again = () => onAgain(standing.session?.asset_id ?? asset ?? '')
  const end = () => connection.current?.say({ t: 'end' })
  const types = standing.people.some(({ id, types: one }) => one && id === standing.you)
  return (
    <main id="main" className="terminal-window">
      <TerminalBar
        standing={standing}
        asset={asset}
        support={support}
        font={font}
        onFont={(by) => setFont((px) => Math.min(sizes.most, Math.max(sizes.least, px + by)))}
        onFind={() => setFinding(true)}
        files={carried}
        onFiles={() => setFiles(true)}
        onSide={() => setSide((before) => !before)}
        onEnd={end}
        types={types}
      />
      <div className="terminal-body">
        <div className="terminal-screen" role="region" aria-label="Terminal">
          <div ref={place} className="terminal-place" data-dim={phase === 'open' ? undefined : ''} />
          {finding && (
            <FindBar
              onFind={(text, back) => view.current?.find(text, back) ?? false}
              onClose={() => {
                setFinding(false)
                view.current?.focus()
              }}
            />
          )}
          {phase !== 'open' && (
            <div className="terminal-over">
              {standing.asksCode && phase === 'failed' ? (
                <CodeCard
                  watches={session !== null}
                  error={standing.asksCode === 'wrong' ? standing.words : null}
                  onCode={(typed) => setCode({ typed })}
                />
              ) : phase === 'asking' || phase === 'connecting' || phase === 'failed' ? (
                <OpeningCard standing={standing} support={support} onAgain={again} />
              ) : (
                <EndCard standing={standing} support={support} onAgain={again} onTryNow={() => connection.current?.tryNow()} />
              )}
            </div>
          )}
        </div>
        {side && (
          <TerminalSide
            standing={standing}
            watched={support === null}
            types={types}
            onAsk={() => connection.current?.say({ t: 'ask' })}
            onGive={(to) => connection.current?.say({ t: 'give', to })}
          />
        )}
      </div>
      {phase === 'open' && types && <KeyRow onKeys={(text) => view.current?.press(text)} />}
      <TerminalFoot standing={standing} lines={() => view.current?.lines() ?? 0} />
      {files !== null && (
        <FilesSheet
          open={files}
          onClose={() => setFiles(false)}
          device={standing.session?.asset_name ?? 'the device'}
          at={standing.session && standing.client ? { session: standing.session.id, client: standing.client } : null}
          types={types}
          onCount={setCarried}
        />
      )}
      {pasting !== null && (
        <PasteQuestion
          text={pasting}
          onPaste={(text) => {
            setPasting(null)
            view.current?.paste(text)
            view.current?.focus()
          }}
          onClose={() => setPasting(null)}
        />
      )}
    </main>
  )
}
