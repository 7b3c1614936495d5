import { settings } from '../api/settings.ts'
import { CodeBlock } from '../kit/CodeBlock.tsx'
import { registryHost } from './registry-words.ts'

/** The three lines that push an image. */
export const PushSnippet = ({ slug, repository = `${slug}/my-app` }: { slug: string; repository?: string }) => (
  <div className="grid w-full min-w-0 grid-cols-[minmax(0,1fr)] gap-2 text-left">
    <CodeBlock
      label="commands that push an image"
      code={[
        `docker login ${registryHost()} -u ${slug}`,
        `docker tag my-app ${registryHost()}/${repository}:1.0`,
        `docker push ${registryHost()}/${repository}:1.0`,
      ].join('\n')}
    />
    <p className="text-xs text-fg-3">
      The password is the secret of a robot, or of an API key that may change the registry.{' '}
      {isPlain() ? (
        <>
          This address has no TLS: Podman and Buildah take the same commands with <span className="mono">--tls-verify=false</span> after{' '}
          <span className="mono">login</span> and <span className="mono">push</span>
          {!/^(localhost|127\.[\d.]+)$/.test(window.location.hostname) && (
            <>
              , and Docker once it has {registryHost()} among its <span className="mono">insecure-registries</span>
            </>
          )}
          .
        </>
      ) : (
        'Podman and others take the same commands.'
      )}
    </p>
  </div>
)

/** It is where the console is, which came without TLS. Of a host that the installation names it is not known. */
const isPlain = () => !settings.registry && window.location.protocol === 'http:'
