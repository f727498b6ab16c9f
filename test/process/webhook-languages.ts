/** What verifies webhooks: a block of the guide with the file it is pasted into, or our client; and a program that asks it about cases on its standard input. */
export interface Language {
  block?: { fence: string; pasted: string };
  files: Record<string, string>;
  version: [command: string, ...args: string[]];
  run: [command: string, ...args: string[]];
}

export const languages: Record<string, Language> = {
  Node: {
    block: { fence: 'js', pasted: 'webhook.mjs' },
    files: {
      'main.mjs': `
        import { readFileSync } from 'node:fs';
        import { hasRSignature, hasWebhookSignature } from './webhook.mjs';
        const answers = JSON.parse(readFileSync(0)).map(({ body, r, id, at, signatures, key }) => {
          const bytes = Buffer.from(body, 'base64');
          return id === '' ? hasRSignature(bytes, r, key) : hasWebhookSignature(bytes, id, at, signatures, key);
        });
        console.log(JSON.stringify(answers));`,
    },
    version: [process.execPath, '--version'],
    run: [process.execPath, 'main.mjs'],
  },
  'TypeScript client': {
    files: {
      'main.mjs': `
        import { readFileSync } from 'node:fs';
        import { PayTagSignatureError, verifyWebhook } from '${import.meta.resolve('paytag/client')}';
        const answers = JSON.parse(readFileSync(0)).map(({ body, r, id, at, signatures, key }) => {
          const names = { 'R-Signature': r, 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures };
          const by = id === '' ? { clientId: key } : { secret: key };
          try {
            const event = verifyWebhook({ body: Buffer.from(body, 'base64'), headers: new Headers(names), ...by });
            return event.id === id && event.data !== undefined;
          } catch (error) {
            if (!(error instanceof PayTagSignatureError)) throw error;
            return false;
          }
        });
        console.log(JSON.stringify(answers));`,
    },
    version: [process.execPath, '--version'],
    run: [process.execPath, 'main.mjs'],
  },
  Python: {
    block: { fence: 'python', pasted: 'webhook.py' },
    files: {
      'main.py': `
import base64, json, sys
from webhook import has_r_signature, has_webhook_signature
def ask(c):
    body = base64.b64decode(c["body"])
    if c["id"] == "":
        return has_r_signature(body, c["r"], c["key"])
    return has_webhook_signature(body, c["id"], c["at"], c["signatures"], c["key"])
print(json.dumps([ask(c) for c in json.load(sys.stdin)]))`,
    },
    version: ['python3', '--version'],
    run: ['python3', 'main.py'],
  },
  PHP: {
    block: { fence: 'php', pasted: 'webhook.php' },
    files: {
      'main.php': `<?php
        require 'webhook.php';
        $ask = fn ($c) => $c->id === ''
          ? has_r_signature(base64_decode($c->body), $c->r, $c->key)
          : has_webhook_signature(base64_decode($c->body), $c->id, $c->at, $c->signatures, $c->key);
        echo json_encode(array_map($ask, json_decode(stream_get_contents(STDIN))));`,
    },
    version: ['php', '--version'],
    run: ['php', 'main.php'],
  },
  Go: {
    block: { fence: 'go', pasted: 'webhook/webhook.go' },
    files: {
      'go.mod': 'module guide\n',
      'main.go': `
        package main
        import ("encoding/json"; "os"; "guide/webhook")
        type ask struct { Body []byte; R, ID, At, Signatures, Key string }
        func main() {
          var cases []ask
          if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil { panic(err) }
          answers := []bool{}
          for _, c := range cases {
            if c.ID == "" {
              answers = append(answers, webhook.HasRSignature(c.Body, c.R, c.Key))
            } else {
              answers = append(answers, webhook.HasWebhookSignature(c.Body, c.ID, c.At, c.Signatures, c.Key))
            }
          }
          json.NewEncoder(os.Stdout).Encode(answers)
        }`,
    },
    version: ['go', 'version'],
    run: ['go', 'run', '.'],
  },
};
