/** A passkey in software, as WebAuthn asks for it: what a browser's authenticator would answer, for tests without a browser. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';

const userPresent = 0x01;
const userVerified = 0x04;
const hasCredential = 0x40;

export class SoftwarePasskey {
  #origin: string;
  #id = randomBytes(16);
  #privateKey: KeyObject;
  #publicKey: { x: Buffer; y: Buffer };
  #counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.#privateKey = privateKey;
    this.#publicKey = { x: Buffer.from(x, 'base64url'), y: Buffer.from(y, 'base64url') };
  }

  create({ challenge }: PublicKeyCredentialCreationOptionsJSON): RegistrationResponseJSON {
    const credential = Buffer.concat([Buffer.alloc(16), uint16(this.#id.length), this.#id, this.#coseKey()]);
    const authData = this.#authenticatorData(userPresent | userVerified | hasCredential, credential);
    const attestation = cborMap([
      [cborText('fmt'), cborText('none')],
      [cborText('attStmt'), cborMap([])],
      [cborText('authData'), cborBytes(authData)],
    ]);
    const id = this.#id.toString('base64url');
    const clientDataJSON = this.#clientData('webauthn.create', challenge).toString('base64url');
    const response = { clientDataJSON, attestationObject: attestation.toString('base64url') };
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} };
  }

  get({ challenge }: PublicKeyCredentialRequestOptionsJSON): AuthenticationResponseJSON {
    const authenticatorData = this.#authenticatorData(userPresent | userVerified);
    const clientData = this.#clientData('webauthn.get', challenge);
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), this.#privateKey);
    const id = this.#id.toString('base64url');
    const response = {
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
    };
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} };
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false }));
  }

  #authenticatorData(flags: number, credential = Buffer.alloc(0)): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(++this.#counter);
    const relyingParty = sha256(Buffer.from(new URL(this.#origin).hostname));
    return Buffer.concat([relyingParty, Buffer.from([flags]), counter, credential]);
  }

  /** COSE: kty EC2, alg ES256, crv P-256, x, y. */
  #coseKey(): Buffer {
    const { x, y } = this.#publicKey;
    return cborMap([
      [Buffer.from([0x01]), Buffer.from([0x02])],
      [Buffer.from([0x03]), Buffer.from([0x26])],
      [Buffer.from([0x20]), Buffer.from([0x01])],
      [Buffer.from([0x21]), cborBytes(x)],
      [Buffer.from([0x22]), cborBytes(y)],
    ]);
  }
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);

// CBOR: as much of it as the above needs.
const cborMap = (entries: [Buffer, Buffer][]): Buffer =>
  Buffer.concat([Buffer.from([0xa0 + entries.length]), ...entries.flat()]);
const cborText = (text: string): Buffer => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
function cborBytes(bytes: Buffer): Buffer {
  const length =
    bytes.length < 256 ? Buffer.from([0x58, bytes.length]) : Buffer.concat([Buffer.from([0x59]), uint16(bytes.length)]);
  return Buffer.concat([length, bytes]);
}
