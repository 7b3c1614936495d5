import type { Asset } from '@masthead/contract/assets/asset'
import { updateAsset } from '@masthead/contract/assets/operations'
import type { Sim } from '@masthead/contract/assets/sim'
import { listNetworkGroups } from '@masthead/contract/network-groups/operations'
import { useState } from 'react'
import { Link } from 'react-router'
import { ActionButton, useDenied } from '../../kit/ActionButton.tsx'
import { CopyText } from '../../ui/CopyText.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Fact, Facts, Panel } from '../../ui/Panel.tsx'
import { cutWords } from '../session-words.ts'
import { SetGroupModal } from '../SetGroupModal.tsx'

/** What the SIM may use, by its network group, and the APN its device is to have. */
export function GroupPanel({ asset, sim }: { asset: Asset; sim: Sim }) {
  const [changing, setChanging] = useState(false)
  const hidden = useDenied()(listNetworkGroups)
  const { network_group: group, session } = sim
  const used = session?.apn ?? null
  return (
    <Panel
      title="Network group"
      end={
        <ActionButton operation={updateAsset} size="small" disabled={hidden} onClick={() => setChanging(true)}>
          Change
        </ActionButton>
      }
    >
      {session?.forbidden && session.forbidden_by === 'group' && (
        <div className="mb-3">
          <Notice tone="warn">
            {session.forbidden}. {cutWords(session)}
          </Notice>
        </div>
      )}
      <div className="-my-1.5">
        <Facts>
          <Fact label="Group">
            {hidden ? (
              group.name
            ) : (
              <Link className="link" to={`/network-groups/${group.id}`}>
                {group.name}
              </Link>
            )}
          </Fact>
          <Fact label="APN to use">{group.apn ? <CopyText text={group.apn} label="APN" /> : <span className="text-fg-3">—</span>}</Fact>
          <Fact label="APN in use">
            {used ? <CopyText text={used} label="APN in use" /> : <span className="text-fg-3">—</span>}
            {used && group.apn && used.toLowerCase() !== group.apn.toLowerCase() && (
              <span className="block text-xs text-warn-fg">Not the APN of its group</span>
            )}
          </Fact>
        </Facts>
      </div>
      {changing && <SetGroupModal asset={asset} onClose={() => setChanging(false)} />}
    </Panel>
  )
}
