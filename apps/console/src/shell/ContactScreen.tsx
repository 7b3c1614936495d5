import { useSession } from '../api/session.ts'
import { Panel } from '../ui/Panel.tsx'
import { OwnAddress } from './OwnAddress.tsx'

export default function ContactScreen() {
  const owner = useSession(({ user }) => user?.acting_as)
  return (
    <Panel title="Who can help">
      <div className="grid max-w-[68ch] gap-3 text-fg-2 text-pretty">
        {owner && (
          <p>
            About permissions and what you may see on this account: its owner,{' '}
            <a className="link" href={`mailto:${owner}`}>
              {owner}
            </a>
            .
          </p>
        )}
        <p>About SIMs, coverage, prices and this console: the organisation that gave you access to it. It runs this installation.</p>
        <p>
          Say which asset it is about (its serial number or ICCID) and when it happened. Below an error message stands the number of its
          request: whoever runs this installation finds it in the log.
        </p>
        <OwnAddress link="contact">Open the contact page</OwnAddress>
      </div>
    </Panel>
  )
}
