import type { Asset } from '@masthead/contract/assets/asset'
import type { Device } from '@masthead/contract/devices/device'
import { openTerminal } from '@masthead/contract/terminal/operations'
import { terminalNeverConnected, terminalOffline } from '@masthead/contract/terminal/problems'
import { Terminal } from 'lucide-react'
import { useNavigate } from 'react-router'
import { ActionButton } from '../kit/ActionButton.tsx'

/** Leads to the terminal of a device, or says why there is none now. */
export function OpenTerminalButton({ asset, device }: { asset: Asset; device: Device }) {
  const navigate = useNavigate()
  const why = device.cut_at
    ? 'The device is refused until it has other credentials'
    : device.presence === 'never'
      ? terminalNeverConnected.title
      : device.presence === 'offline'
        ? terminalOffline.title
        : null
  return (
    <ActionButton
      operation={openTerminal}
      icon={Terminal}
      disabled={why}
      onClick={() => void navigate(`/${device.kind === 'core' ? 'core-terminal' : 'terminal'}?asset=${asset.id}`)}
    >
      Open terminal
    </ActionButton>
  )
}
