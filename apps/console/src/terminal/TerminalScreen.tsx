import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { later } from '../kit/later.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { LiveTerminal } from './LiveTerminal.tsx'

const Replay = later(() => import('./Replay.tsx').then((file) => file.Replay))

/** The terminal of an asset in a window of its own (spec §2): `asset` asks for a shell, `session` watches one, `recording` plays one. */
export default function TerminalScreen() {
  const [params, setParams] = useSearchParams()
  const [turn, setTurn] = useState(0)
  const recording = params.get('recording')
  if (recording) return <Replay key={recording} id={recording} />
  const [asset, session] = [params.get('asset'), params.get('session')]
  if (!asset && !session) return <NoDevice />
  return (
    <LiveTerminal
      key={`${asset} ${session} ${turn}`}
      asset={asset}
      session={session}
      // A window that is loaded again finds its shell by this address.
      onOpened={(id) => setParams({ session: id }, { replace: true })}
      onAgain={(of) => {
        setTurn(turn + 1)
        setParams({ asset: of }, { replace: true })
      }}
    />
  )
}

/** The window's address alone names no device. */
const NoDevice = () => (
  <main id="main" className="grid min-h-dvh">
    <h1 className="sr-only">Terminal</h1>
    <EmptyState
      title="No device is chosen"
      actions={
        <LinkButton as={Link} to="/assets" color="primary-solid">
          Choose an asset
        </LinkButton>
      }
    >
      Open the asset, then its Device tab, and press Open terminal there.
    </EmptyState>
  </main>
)
