import { Panel } from '../ui/Panel.tsx'
import { OwnAddress } from './OwnAddress.tsx'

export default function CommunityScreen() {
  return (
    <Panel title="Ask and answer">
      <div className="grid max-w-[68ch] gap-3 text-fg-2 text-pretty">
        <p>Masthead is open source and run by many organisations. Ask whoever runs this installation where the people who use it meet.</p>
        <p>Never post a password, an API key, or the identifiers of a SIM where others can read them.</p>
        <OwnAddress link="community">Open the community</OwnAddress>
      </div>
    </Panel>
  )
}
