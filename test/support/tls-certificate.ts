/**
 * A self-signed certificate of hooks.example.com, valid from 2020 to 2120, for servers inside tests; nothing
 * else trusts it.
 */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBWTCCAQCgAwIBAgIBATAKBggqhkjOPQQDAjAcMRowGAYDVQQDDBFob29rcy5l
eGFtcGxlLmNvbTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowHDEa
MBgGA1UEAwwRaG9va3MuZXhhbXBsZS5jb20wWTATBgcqhkjOPQIBBggqhkjOPQMB
BwNCAATiYyLfjc+zhk2kvoaSDKJi6XMWnBtHExqw7vk1TT05YJWl+uD+fvDJjXHP
6noxATbreJpmqJIrUpxNaWloMA4JozEwLzAcBgNVHREEFTATghFob29rcy5leGFt
cGxlLmNvbTAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0cAMEQCICxkdLkj
LbTRYA41NjIB6ioGv7sizHh/Sfz+7wyOJpqWAiBg1u8eshXWs0gx3UQnr13a603U
/VE35926eY1Et0XUXQ==
-----END CERTIFICATE-----
`;

/** The key that belongs to `certificate`; it protects nothing. */
export const certificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgl68aOmD+VNWuSqRO
2w8YkiFR9pIC8lqIX1xDsDfVE0+hRANCAATiYyLfjc+zhk2kvoaSDKJi6XMWnBtH
Exqw7vk1TT05YJWl+uD+fvDJjXHP6noxATbreJpmqJIrUpxNaWloMA4J
-----END PRIVATE KEY-----
`;
