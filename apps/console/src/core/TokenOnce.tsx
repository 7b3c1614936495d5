import type { DeploymentOnce } from '@masthead/contract/core/deployment'
import { CodeBlock } from '../kit/CodeBlock.tsx'
import { SecretModal } from '../kit/SecretModal.tsx'
import { agentFile, installLine } from './deployment-words.ts'

/** A token, this one time, in the lines that it is used in. */
export const TokenOnce = ({ deployment, onClose }: { deployment: DeploymentOnce; onClose: () => void }) => (
  <SecretModal
    what="token"
    name={deployment.name}
    secret={deployment.token}
    onClose={onClose}
    more={
      <>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
          <p className="text-fg-2">Run this on a device:</p>
          <CodeBlock label="install line" code={installLine(deployment.token, deployment.region)} />
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
          <p className="text-fg-2">
            Or put this on the image of many devices, as <span className="mono">/opt/sixfab/.env.yaml</span>:
          </p>
          <CodeBlock label="agent file" code={agentFile(deployment.token)} />
        </div>
      </>
    }
  >
    Copy it now, because it is shown only once. Anyone with it can add devices to your account
    {deployment.registers ? '.' : ', with SIMs that the account has: you may not register assets, so the token registers none.'}
  </SecretModal>
)
