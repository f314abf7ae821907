# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# What is read: the contract of the wire, the reasons, the ledger.
dist_doc_DATA = \
	%D%/design.md \
	%D%/features.md \
	%D%/protocol.md
